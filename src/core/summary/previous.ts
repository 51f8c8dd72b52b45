// What a summarizer is told of the summary before: without pins, which are not its to carry, redacted, and no longer than it can read.

import { capHeadTail } from '../plan/cap.ts';
import { TITLE } from '../plan/carried.ts';
import { estimateTokens } from '../size/estimator.ts';
import { escapeDelimiters, unframeSummary } from './frame.ts';
import { redactSecrets } from './redact.ts';

const omission = (omitted: number): string => `[… ${omitted} characters left out …]`;

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

/** The text without any of these texts: what is said elsewhere word for word need not be said again. */
export function withoutTexts(text: string, said: readonly string[]): string {
  return said.reduce((rest, one) => (one.trim() === '' ? rest : rest.replaceAll(one.trim(), '')), text);
}
