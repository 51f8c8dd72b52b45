// Secrets: read from the environment by name, and taken out of every text that leaves the process or is stored.
import { UllageError } from '../../../index.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Shorter values are words, not secrets: to replace them would garble texts. */
const LEAST_SECRET_CHARS = 6;
const REDACTED = '[secret]';

export interface Secrets {
  /** Throws option_invalid when the variable is not set; `key` names where it is asked for. */
  read(variable: string, key: string): string;
  /** The same text without any secret that was read. */
  redact(text: string): string;
}

export function createSecrets(env: Environment): Secrets {
  /** The longest first: one may be the beginning of another. */
  let known: readonly string[] = [];
  return {
    read(variable, key) {
      const value = env[variable]?.trim();
      if (value === undefined || value === '') {
        throw new UllageError('option_invalid', `${key} names the variable ${variable}, which is not set.`, {
          hint: `Set it before the start: export ${variable}=…`,
        });
      }
      if (value.length >= LEAST_SECRET_CHARS)
        known = [...new Set([...known, value, encodeURIComponent(value)])].sort((a, b) => b.length - a.length);
      return value;
    },
    redact(text) {
      let clean = text;
      for (const secret of known) clean = clean.replaceAll(secret, REDACTED);
      return clean;
    },
  };
}
