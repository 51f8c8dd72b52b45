// What a person wrote in a user message. The oracle's own view of it, so that a mistake of the engine's shows.

/** Opening tag of a block that a client wraps around text of its own: its name is several words. */
const CLIENT_TAG = /^<([a-z]+(?:[-_][a-z]+)+)(?: [^<>]{0,200})?>/;
const LONGEST_TAG_CHARS = 260;
/** A text with more different tags that are never closed is not read on: it is no client's. */
const MOST_UNCLOSED = 32;
const CLIENT_NOTE = /^\[Request interrupted by user|^Caveat: The messages below|^This session is being continued from a previous/;
/** Agents without tool messages show what a command gave back in a user message. */
const OBSERVATION = /^(?:EXECUTION RESULT of \[|OBSERVATION:|Observation:|\[Tool result)/;

/** True when a user message is what a tool gave back, in a protocol that has no tool messages. */
export function isObservation(text: string): boolean {
  return OBSERVATION.test(text.slice(0, 200).trimStart());
}

/** The text without client blocks; '' when a person wrote nothing. */
export function genuineWords(text: string): string {
  const unclosed = new Set<string>();
  const kept: string[] = [];
  let start = 0;
  for (let open = text.indexOf('<'); open >= 0 && unclosed.size < MOST_UNCLOSED; open = text.indexOf('<', Math.max(open + 1, start))) {
    const tag = CLIENT_TAG.exec(text.slice(open, open + LONGEST_TAG_CHARS));
    const name = tag?.[1];
    if (name === undefined || unclosed.has(name)) continue;
    const closing = `</${name}>`;
    const close = text.indexOf(closing, open);
    if (close < 0) {
      unclosed.add(name);
      continue;
    }
    kept.push(text.slice(start, open));
    start = close + closing.length;
  }
  const rest = [...kept, text.slice(start)].join(' ').trim();
  return CLIENT_NOTE.test(rest) ? '' : rest;
}
