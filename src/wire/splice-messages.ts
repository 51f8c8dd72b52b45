// Puts a new list of messages into a body. What stays keeps its bytes, the white space between unchanged neighbours too.
import { messageText, messageTexts } from './body.ts';
import type { RequestBody } from './codec.ts';
import type { Change } from './json/splice.ts';
import { listChanges, spliceText } from './json/splice.ts';

/** The body with everything behind its preamble messages replaced. The same messages give the same text. */
export function spliceMessages(body: RequestBody, messages: readonly string[]): string {
  const wanted = messages.map(messageText);
  const before = messageTexts(body).slice(body.preambleCount);
  if (body.text[body.messagesSpan.start] === '"') return spliceShorthand(body, before, wanted);
  const { head, tail } = sharedEnds(before, wanted);
  const inPlace = before.slice(head, before.length - tail);
  const incoming = wanted.slice(head, wanted.length - tail);
  const shared = Math.min(inPlace.length, incoming.length);
  const first = body.preambleCount + head;
  const last = first + inPlace.length;
  const replaced = body.messages.slice(last - shared, last).flatMap((span, index): Change[] => {
    const text = incoming[incoming.length - shared + index]!;
    return text === inPlace[inPlace.length - shared + index] ? [] : [{ ...span, text }];
  });
  const removed = new Set(Array.from({ length: inPlace.length - shared }, (_, index) => first + index));
  const inserted = new Map([[first, incoming.slice(0, incoming.length - shared)]]);
  const gaps = listChanges(body.text, { list: body.messagesSpan, elements: body.messages, removed, inserted });
  return spliceText(body.text, [...replaced, ...gaps]);
}

/** A string input stays a string only while it says the same. */
function spliceShorthand(body: RequestBody, before: readonly string[], wanted: readonly string[]): string {
  if (wanted.length === 1 && wanted[0] === before[0]) return body.text;
  return spliceText(body.text, [{ ...body.messagesSpan, text: `[${wanted.join(',')}]` }]);
}

/** How many messages two lists share at the front, and behind those at the end. */
function sharedEnds(before: readonly string[], wanted: readonly string[]): { readonly head: number; readonly tail: number } {
  const most = Math.min(before.length, wanted.length);
  let head = 0;
  while (head < most && before[head] === wanted[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before[before.length - 1 - tail] === wanted[wanted.length - 1 - tail]) tail += 1;
  return { head, tail };
}
