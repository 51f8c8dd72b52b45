// The first messages of a body, cut without a look at what follows them: a long history costs no more than a short one.
import type { Api } from '../core/transcript/entry.ts';
import { isInstruction } from './body.ts';
import { visitMembers } from './json/members.ts';
import { skipSpace, skipValue } from './json/scan.ts';

/** The JSON texts of at most `count` messages behind the leading instructions. Throws transcript_invalid for what cannot be cut so far. */
export function firstMessages(api: Api, text: string, count: number): readonly string[] {
  const key = api === 'openai-responses' ? 'input' : 'messages';
  let messages: readonly string[] = [];
  visitMembers(text, skipSpace(text, 0), (name, start) => {
    if (name !== key) return skipValue(text, start);
    messages = text[start] === '[' ? elements(api, { text, start, count }) : [text.slice(start, skipValue(text, start))];
    return undefined;
  });
  return messages;
}

function elements(api: Api, { text, start, count }: { text: string; start: number; count: number }): readonly string[] {
  const found: string[] = [];
  let position = skipSpace(text, start + 1);
  while (text[position] !== ']' && found.length < count) {
    const end = skipValue(text, position);
    const isLeading = api !== 'anthropic' && found.length === 0 && isInstruction(text, { start: position, end });
    if (!isLeading) found.push(text.slice(position, end));
    position = skipSpace(text, end);
    if (text[position] === ',') position = skipSpace(text, position + 1);
  }
  return found;
}
