// Which option of a request an error complains about: told by its `param`, else by its wording.
import { isObject, stringOf } from '../rules.ts';
import { unwrapError } from './unwrap.ts';

/** The first of the names that the error speaks of; undefined for errors of another kind. `names` are plain words. */
export function rejectedOption<N extends string>(error: unknown, names: readonly N[]): N | undefined {
  const { status, text } = unwrapError(error);
  if (status !== undefined && status !== 400 && status !== 422) return undefined;
  const param = paramOf(error);
  if (param !== undefined) return names.find((name) => param === name || param.startsWith(`${name}.`));
  // An error that offers another option names the refused one first.
  const found = names.map((name) => ({ name, at: indexOfWord(text, name) })).filter(({ at }) => at >= 0);
  return found.sort((a, b) => a.at - b.at)[0]?.name;
}

function paramOf(error: unknown): string | undefined {
  if (!isObject(error)) return undefined;
  const holders = [error, error.body, error.error].filter(isObject);
  const inner = holders.map((holder) => holder.error).filter(isObject);
  return [...holders, ...inner].map(({ param }) => stringOf(param)).find((param) => param !== undefined);
}

function indexOfWord(text: string, word: string): number {
  return text.search(new RegExp(`(?<![A-Za-z0-9_])${word}(?![A-Za-z0-9_])`));
}
