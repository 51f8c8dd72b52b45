// Reads the config and picks a profile. What is wrong stops the start and is named by its key.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { z } from 'zod';
import { UllageError } from '../../../index.ts';
import { type FoundDatabase, findDatabase } from './find-database.ts';
import { type Config, configSchema, type Profile } from './schema.ts';

/** Read when no --config is given. */
export const DEFAULT_CONFIG = 'ullage.config.json';

/** Some editors begin a file with it. */
const BYTE_ORDER_MARK = '\ufeff';

const EXAMPLE = '{ "profiles": { "default": { "api": "openai-chat", "model": "gpt-5.5-mini", "keyEnv": "OPENAI_API_KEY" } } }';

export interface LoadedProfile extends FoundDatabase {
  readonly name: string;
  readonly profile: Profile;
}

export interface LoadOptions {
  readonly file?: string;
  readonly profile?: string;
  /** Instead of the config's own. */
  readonly database?: string;
}

/** Throws option_invalid, naming the file and the key. */
export async function loadProfile(options: LoadOptions): Promise<LoadedProfile> {
  const file = path.resolve(options.file ?? DEFAULT_CONFIG);
  const config = parseConfig(file, await readConfig(file));
  const name = profileName(file, config, options.profile);
  const profile = config.profiles[name]!;
  checkMarks(`${file}: profiles.${name}`, profile);
  return { name, profile, ...databaseOf(path.dirname(file), config, options) };
}

function databaseOf(folder: string, config: Config, options: LoadOptions): FoundDatabase {
  if (options.database !== undefined) return { database: path.resolve(options.database) };
  return config.database === undefined ? findDatabase(folder) : { database: path.resolve(folder, config.database) };
}

async function readConfig(file: string): Promise<string> {
  try {
    const text = await readFile(file, 'utf8');
    return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    throw new UllageError('option_invalid', `${file} ${isMissing ? 'does not exist' : 'cannot be read'}.`, {
      cause,
      hint: isMissing ? `Write one, or name it with --config. The smallest: ${EXAMPLE}` : 'Check its permissions.',
    });
  }
}

function parseConfig(file: string, text: string): Config {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    // The words of the parser quote the text, which is not ours to repeat.
    throw invalid(file, `is not JSON${positionOf(cause)}`);
  }
  const parsed = configSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalid(file, parsed.error.issues.flatMap(describeIssue).slice(0, 5).join('; '));
}

function positionOf(cause: unknown): string {
  const position = /position (\d+)/.exec(String(cause))?.[1];
  return position === undefined ? '' : `: look near character ${position}`;
}

/** `profiles.default.window: expected number`. Values are left out: one of them may be a secret at the wrong place. */
function describeIssue(issue: z.core.$ZodIssue): string[] {
  if (issue.code === 'invalid_union') {
    // What was meant is the shape that the value is nearest to.
    const [nearest] = issue.errors.toSorted((a, b) => weightOf(a) - weightOf(b));
    const nested = nearest?.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
    return (nested ?? []).flatMap((inner) => describeIssue(inner as z.core.$ZodIssue));
  }
  const key = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') return issue.keys.map((name) => `${[...issue.path, name].join('.')}: there is no such key`);
  return [`${key === '' ? '(all)' : key}: ${issue.message.replace(/^Invalid input: /, '')}`];
}

const weightOf = (issues: readonly z.core.$ZodIssue[]): number =>
  issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1), 0);

function profileName(file: string, { profiles }: Config, asked: string | undefined): string {
  const names = Object.keys(profiles);
  const name = asked ?? (names.length === 1 ? names[0]! : 'default');
  if (Object.hasOwn(profiles, name)) return name;
  const known = names.length === 0 ? 'there is none yet' : `known are ${names.join(', ')}`;
  throw invalid(file, `profiles.${name} is not there; ${known}`);
}

/** What one key alone cannot tell. */
function checkMarks(where: string, { threshold, target, window }: Profile): void {
  const isSameUnit = threshold !== undefined && target !== undefined && threshold <= 1 === target <= 1;
  if (isSameUnit && target! >= threshold!) throw invalid(`${where}.target`, `is ${target}; it must be below the threshold, ${threshold}`);
  if (window !== undefined && threshold !== undefined && threshold > window)
    throw invalid(`${where}.threshold`, `is ${threshold}; it must fit the window, ${window}`);
}

function invalid(where: string, what: string): UllageError {
  return new UllageError('option_invalid', `${where}: ${what}.`, { hint: 'Correct the key named in the message; docs/chat.md lists all.' });
}
