// Messages of one API written as another's: for leaving. What comes out keeps that API's rules. Reasoning is not carried; media and a
// provider's own items leave a mark.
import type { Api } from '../core/transcript/entry.ts';
import { encodeSides } from './convert-encode.ts';
import { sidesOf } from './convert-sides.ts';
import { codecFor } from './index.ts';

/** JSON texts of the messages in the other format. */
export function convertMessages(from: Api, to: Api, raws: readonly string[]): readonly string[] {
  const messages = raws.map((raw) => codecFor(from).decodeMessage(raw));
  return encodeSides(to, sidesOf(messages)).map((message) => JSON.stringify(message));
}
