// Access tokens from the environment, a file, or the command line. Their secrets appear in no message.
import { readFile } from 'node:fs/promises';
import { UllageError } from '../../../core/errors.ts';
import type { AccessToken } from '../../gateway/options.ts';

export interface TokenSources {
  /** `name=secret,…` */
  readonly environment?: string;
  readonly file?: string;
  readonly words?: readonly string[];
}

/** Throws option_invalid. */
export async function readTokens({ environment = '', file, words = [] }: TokenSources): Promise<readonly AccessToken[]> {
  const lines =
    file === undefined ? [] : (await textOf(file)).split('\n').filter((line) => line.trim() !== '' && !line.trimStart().startsWith('#'));
  return [
    ...environment
      .split(',')
      .filter((item) => item.trim() !== '')
      .map((item) => parseToken('ULLAGE_TOKENS', item)),
    ...lines.map((line) => parseToken(`--tokens-file ${file}`, line)),
    ...words.map((word) => parseToken('--token', word)),
  ];
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw new UllageError('option_invalid', `--tokens-file ${file} cannot be read: ${code ?? message}.`, { cause });
  }
}

function parseToken(source: string, text: string): AccessToken {
  const mark = text.indexOf('=');
  if (mark > 0) return { name: text.slice(0, mark).trim(), secret: text.slice(mark + 1).trim() };
  throw new UllageError('option_invalid', `${source}: expected NAME=SECRET in each item.`);
}
