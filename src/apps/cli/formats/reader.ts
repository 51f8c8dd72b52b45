// What a format's reader offers.
import { UllageError } from '../../../core/errors.ts';
import type { Document } from './document.ts';
import type { Format, Transcript } from './transcript.ts';

export interface FormatReader {
  readonly format: Format;
  /** What a document of this format looks like, for messages: `a JSON object with "messages"`. */
  readonly expected: string;
  /** True when the content is of this format, whatever the file is called. */
  recognises(document: Document): boolean;
  /** Reads a document. Throws transcript_invalid with the line and what was expected there. */
  read(document: Document): Transcript;
}

/** The error of a reader that does not find what its format promises. `line` counts from 1. */
export function unexpected(document: Document, line: number, expected: string): UllageError {
  return new UllageError('transcript_invalid', `${document.name}, line ${line}: expected ${expected}.`, { details: { line } });
}
