// Lines for the operator, on standard error: level, words, numbers. No message texts, no secrets.
import type { Log, LogLevel } from '../../index.ts';
import type { Secrets } from './config/secrets.ts';

const SHOWN: ReadonlySet<LogLevel> = new Set<LogLevel>(['info', 'warn', 'error']);
const LONGEST_FIELD_CHARS = 500;

export function createLog(options: {
  readonly write: (text: string) => unknown;
  readonly secrets: Secrets;
  readonly now: () => number;
  readonly levels?: ReadonlySet<LogLevel>;
}): Log {
  const { write, secrets, now, levels = SHOWN } = options;
  return {
    write(level, message, fields = {}) {
      if (!levels.has(level)) return;
      const pairs = Object.entries(fields).map(([name, value]) => ` ${name}=${fieldText(value)}`);
      const line = `${new Date(now()).toISOString()} ${level} ${message}${pairs.join('')}`;
      write(`${secrets.redact(line).replaceAll(/\p{Cc}/gu, ' ')}\n`);
    },
  };
}

function fieldText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
  return text.length > LONGEST_FIELD_CHARS ? `${text.slice(0, LONGEST_FIELD_CHARS)}…` : text;
}
