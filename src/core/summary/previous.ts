// What a summarizer is told of the summary before: without pins, which are not its to carry, redacted, and no longer than it can read.

import { capHeadTail, omission } from '../plan/cap.ts';
import { TITLE } from '../plan/carried.ts';
import { estimateTokens } from '../size/estimator.ts';
import { escapeDelimiters, unframeSummary } from './frame.ts';
import { redactSecrets } from './redact.ts';

/** The body of a framed summary for a model: the prose whole before the lines of facts, within `maxTokens`. */
export function previousForModel(framed: string, options: { readonly pins: readonly string[]; readonly maxTokens: number }): string {
  const body = withoutPinSection(unframeSummary(framed) ?? framed);
  const clean = escapeDelimiters(redactSecrets(withoutTexts(body, options.pins))).trim();
  if (estimateTokens(clean) <= options.maxTokens) return clean;
  const facts = clean.indexOf(`\n\n${TITLE.facts}\n`);
  const prose = facts < 0 ? clean : clean.slice(0, facts);
  const proseTokens = estimateTokens(prose);
  if (proseTokens >= options.maxTokens) return capHeadTail(prose, options.maxTokens, omission);
  return `${prose}${capHeadTail(clean.slice(prose.length), options.maxTokens - proseTokens, omission)}`;
}

/** Also pins that were taken away since: the section goes as a whole. */
function withoutPinSection(body: string): string {
  if (!body.startsWith(`${TITLE.pins}\n`)) return body;
  const next = [TITLE.firstAsk, TITLE.prose, TITLE.facts].map((title) => body.indexOf(`\n\n${title}\n`)).filter((at) => at >= 0);
  return next.length === 0 ? '' : body.slice(Math.min(...next) + 2);
}

/** Where a text of its own begins: a line or a sentence, behind signs of a list or a quotation. */
const BEGINNING = /(?:[\n。！？：；]|[.!?:;][ \t]{1,4})[-+*>•\d.)\t "'“«„`]{0,8}$/;
const ENDING = /^["'”»“`*]{0,3}(?:[\n.,;!?。，；！？]|$)/;
const SENTENCE_END = /[.!?。！？;；]$/;
const BEGINNING_CHARS = 14;

/** The text without these texts where they stand by themselves: what is said elsewhere word for word need not be said again. */
export function withoutTexts(text: string, said: readonly string[]): string {
  return said.reduce((rest, one) => (one.trim() === '' ? rest : withoutText(rest, one.trim())), text);
}

function withoutText(text: string, said: string): string {
  const kept: string[] = [];
  let start = 0;
  for (let at = text.indexOf(said); at >= 0; at = text.indexOf(said, at + said.length)) {
    const end = at + said.length;
    const before = `${at < BEGINNING_CHARS ? '\n' : ''}${text.slice(Math.max(0, at - BEGINNING_CHARS), at)}`;
    // A part of a longer sentence is another sentence: without it, that would say something else.
    const isWhole = BEGINNING.test(before) && (SENTENCE_END.test(said) || ENDING.test(text.slice(end, end + 5)));
    if (!isWhole) continue;
    kept.push(text.slice(start, at));
    start = end;
  }
  return kept.length === 0 ? text : [...kept, text.slice(start)].join('');
}
