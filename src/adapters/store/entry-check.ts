// What every store refuses before it writes: texts that a database cannot give back unchanged, and entries that are not a chain.
import { UllageError } from '../../core/errors.ts';
import type { NewEntry } from '../../ports/store.ts';

/** NUL never stands in JSON text, a lone surrogate has no UTF-8 form: a database would cut or change both silently. */
const UNSTORABLE = /[\0\p{Cs}]/u;

/** Throws transcript_invalid unless the entries follow each other and their texts can be stored unchanged. */
export function assertStorableEntries(entries: readonly NewEntry[]): void {
  let previous: NewEntry | undefined;
  for (const entry of entries) {
    if (previous !== undefined && entry.position !== previous.position + 1)
      throw invalid(`entry ${entry.position} does not follow entry ${previous.position}: append entries in the order of the chain`);
    if (UNSTORABLE.test(entry.raw))
      throw invalid(
        `the text of entry ${entry.position} is not well-formed JSON text (a lone surrogate or a NUL character): write it with JSON.stringify`,
      );
    previous = entry;
  }
}

/** Throws option_invalid for a text of the user's own (`what` names it) that a database could not give back. */
export function assertStorableText(what: string, text: string): void {
  if (UNSTORABLE.test(text))
    throw new UllageError('option_invalid', `The ${what} holds a lone surrogate or a NUL character: pass well-formed text.`);
}

/** A text that every database can hold: NUL becomes a space, a lone surrogate the replacement character. */
export function storableText(text: string): string {
  return UNSTORABLE.test(text) ? text.replace(/\0/gu, ' ').replace(/\p{Cs}/gu, '\ufffd') : text;
}

function invalid(what: string): UllageError {
  return new UllageError('transcript_invalid', `Nothing was stored: ${what}.`);
}
