// What a summary of ours says that came back inside a message: the first ask it carries, and what a person said in it.
import { framedBodies } from '../summary/frame.ts';
import type { Entry } from '../transcript/entry.ts';
import { demandsIn } from './prose.ts';

/** The headings inside a fold's text. */
export const TITLE = {
  pins: 'Kept word for word at the user’s wish:',
  firstAsk: 'First request, verbatim:',
  prose: 'Summary:',
  facts: 'Excerpts (→ tool result; names: also named there):',
} as const;

/** Wordings of earlier versions: a client may still hold a summary that one of them made. */
const FORMER_TITLES = {
  firstAsk: 'The first request of the user, as it was made:',
  facts: 'Lines of the earlier messages, in their order, with gaps (→ begins what a tool gave back; names: more names that stood there):',
} as const;

/** The mark in front of a unit. */
export const UNIT_MARK = /^\[([^\s\]]+)[^\]]{0,80}\] /;
const USER_LABEL = 'user';

/** Bodies of the summaries of ours inside a user's message, in order. */
export function carriedBodies(entry: Entry): readonly string[] {
  if (entry.message.role !== 'user') return [];
  return entry.message.parts.flatMap((part) => (part.kind === 'text' ? bodiesIn(part.text) : []));
}

/** Bodies of the summaries of ours inside a text, in order, with the headings of today. */
export function bodiesIn(text: string): readonly string[] {
  return framedBodies(text).map((body) => renamed(renamed(body, 'firstAsk'), 'facts'));
}

function renamed(body: string, title: keyof typeof FORMER_TITLES): string {
  const at = sectionAt(body, TITLE[title]) < 0 ? sectionAt(body, FORMER_TITLES[title]) : -1;
  return at < 0 ? body : body.slice(0, at) + TITLE[title] + body.slice(at + FORMER_TITLES[title].length);
}

/**
 * The first ask that a summary carries, word for word. A body without our headings may hold it anywhere, so all of it counts; '' when the
 * summary was made of messages in which nobody asked for anything.
 */
export function carriedAsk(body: string): string {
  const facts = sectionAt(body, TITLE.facts);
  const ask = sectionAt(body, TITLE.firstAsk);
  if (ask < 0 || (facts >= 0 && facts < ask)) return facts < 0 ? body.trim() : '';
  const head = body.slice(ask + TITLE.firstAsk.length, facts < 0 ? body.length : facts);
  // The ask may hold such a heading too: rather too much is kept than too little.
  const prose = head.lastIndexOf(`\n\n${TITLE.prose}\n`);
  return (prose < 0 ? head : head.slice(0, prose)).trim();
}

/** Pins, lines of the user, and what a model's prose says that they demanded: what may hold a demand. */
export function carriedWords(body: string): string {
  const facts = sectionAt(body, TITLE.facts);
  const ask = sectionAt(body, TITLE.firstAsk);
  const said: string[] = [];
  if (body.startsWith(TITLE.pins)) said.push(body.slice(TITLE.pins.length, ask > 0 ? ask : facts > 0 ? facts : body.length).trim());
  const head = facts < 0 ? body : body.slice(0, facts);
  const prose = head.lastIndexOf(`\n\n${TITLE.prose}\n`);
  if (prose >= 0) said.push(demandsIn(head.slice(prose)));
  let isUser = false;
  for (const line of facts < 0 ? [] : body.slice(facts).split('\n')) {
    const mark = UNIT_MARK.exec(line);
    if (mark !== null) isUser = mark[1] === USER_LABEL;
    if (isUser) said.push(mark === null ? line : line.slice(mark[0].length));
  }
  return said.filter((line) => line !== '').join('\n');
}

/** Where a heading stands on a line of its own behind an empty one, or at the start; -1 when nowhere. */
function sectionAt(body: string, title: string): number {
  if (body.startsWith(`${title}\n`)) return 0;
  const at = body.indexOf(`\n\n${title}\n`);
  return at < 0 ? -1 : at + 2;
}
