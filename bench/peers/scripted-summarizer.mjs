// Stands in for the model of every peer that wants one: the facts of a text by fixed rules, then its beginning and its end. It says nothing
// about what a real model would write.

/** Facts are dense: fewer characters a token than prose. */
const CHARS_PER_TOKEN = 3;
const LONGEST_LINE = 240;

/** Shares of the summary, in order; what one leaves goes to the next. The rest is beginning and end of the text. */
const SECTIONS = [
  { title: 'The user demands', share: 0.25, find: demands },
  { title: 'Errors', share: 0.15, find: (text) => linesWith(text, /\b(?:error|exception|failed|failure|fatal|panic|traceback)\b/i) },
  { title: 'Commands', share: 0.15, find: commands },
  { title: 'Paths', share: 0.2, find: (text) => matches(text, /(?:https?:\/\/|~?\/|\.{1,2}\/)?[\w@.-]{1,80}(?:\/[\w@.-]{1,80})+/g) },
  { title: 'Names and values', share: 0.15, find: (text) => matches(text, /\b(?=\w*\d)[\w.-]{6,64}\b|\b[a-z]+[A-Z]\w+\b|\b\w+_\w+\b/g) },
];

/** From text to a summary of at most so many tokens, or a share of them. */
export function summarizerOf(tokens) {
  return { summarize: (text, share = 1) => summarize(text, Math.floor(tokens * share * CHARS_PER_TOKEN)) };
}

function summarize(text, chars) {
  const parts = [];
  let spare = 0;
  let used = 0;
  for (const { title, share, find } of SECTIONS) {
    const room = Math.floor(share * chars) + spare;
    const lines = fill(find(text), room - title.length - 3);
    const part = lines.length === 0 ? '' : `## ${title}\n${lines.join('\n')}`;
    spare = room - part.length;
    used += part.length;
    if (part !== '') parts.push(part);
  }
  const side = Math.max(0, Math.floor((chars - used) / 2) - 16);
  if (side > 0) parts.push(`## Beginning and end\n${text.slice(0, side)}\n…\n${text.slice(Math.max(side, text.length - side))}`);
  return parts.join('\n\n').slice(0, Math.max(1, chars)).toWellFormed();
}

/** Newest first are taken as long as they fit; they are listed in their order. */
function fill(found, room) {
  const unique = [...new Set(found)];
  const taken = [];
  let left = room;
  for (const line of unique.reverse()) {
    if (line.length + 1 > left) continue;
    taken.push(line);
    left -= line.length + 1;
  }
  return taken.reverse();
}

function short(line) {
  return line.trim().slice(0, LONGEST_LINE);
}

function linesWith(text, pattern) {
  return text
    .split('\n')
    .filter((line) => pattern.test(line))
    .map(short);
}

/** Sentences with a demand in what a person said, where the text marks speakers; otherwise in all of it. */
function demands(text) {
  const turns = text.split(/^(?=\[?(?:human|user|ai|assistant|tool|model)\b[^\n]{0,30}?:)/im);
  const own = turns.filter((turn) => /^\[?(?:human|user)\b/i.test(turn));
  const sentences = (own.length === 0 ? turns : own).flatMap((turn) => turn.split(/(?<=[.!?])\s+|\n+/));
  return sentences.filter((one) => /\b(?:never|must|only|instead|always|don't|do not|should|please|need|want)\b/i.test(one)).map(short);
}

function commands(text) {
  return matches(text, /\b(?:command|cmd)\\?"?\s{0,2}[:=]\s{0,2}\\?"((?:[^"\\]|\\.){1,240})/g, 1).concat(
    matches(text, /^\s*\$ ([^\n]{1,240})/gm, 1),
  );
}

function matches(text, pattern, group = 0) {
  return [...text.matchAll(pattern)].map((match) => match[group]);
}
