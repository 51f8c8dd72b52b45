// The first and the newest thing a person asked, as a fold prints them: whole, or head and tail while the middle competes with everything else.
import { estimateTokens } from '../size/estimator.ts';
import { redactSecrets } from '../summary/redact.ts';
import { entryHandle } from '../transcript/entry.ts';
import { joinSplit, type OmissionMark, omission, splitHeadTail } from './cap.ts';
import type { FoldRequest } from './fold.ts';
import { cutSentences } from './lines.ts';
import type { Unit } from './units.ts';
import { SOURCE } from './work.ts';

/** Of the whole view. */
const FIRST_ASK_SHARE = 0.3;
/** Of the fold's own budget. */
const MOST_ASK_SHARE = 0.9;
/** Of the room beside the first; a short one may take more: it is what happens next. */
const NEWEST_ASK_SHARE = 0.3;
const SHORT_ASK_TOKENS = 100;
const SHORT_ASK_SHARE = 0.8;
export const SMALLEST_ASK_TOKENS = 16;

/** The mark where a text is shortened, with the handle of the whole where that can be opened. */
const markFor =
  ({ canOpenHandles }: FoldRequest, handle: string): OmissionMark =>
  (omitted) =>
    omission(omitted, canOpenHandles ? handle : undefined);

/** The first ask as it is printed, and what of it does not fit. */
export function firstAskText(request: FoldRequest): { readonly text: string; readonly rest?: Unit } {
  const { firstAsk } = request;
  if (firstAsk === undefined || firstAsk.text === '') return { text: '' };
  const { entry } = firstAsk;
  // Before it is split: half of a secret is none that can be told.
  const text = redactSecrets(firstAsk.text);
  const handle = entryHandle(entry.chain);
  const mark = markFor(request, handle);
  const most = Math.floor(Math.min(request.viewTokens * FIRST_ASK_SHARE, request.budgetTokens * MOST_ASK_SHARE));
  const split = splitHeadTail(text, Math.max(SMALLEST_ASK_TOKENS + estimateTokens(mark(text.length)), most), mark);
  if (split === undefined) return { text };
  const texts = [{ kind: SOURCE.user, table: cutSentences(split.middle) }];
  const words = firstAsk.isCarried ? { carried: split.middle } : { genuine: split.middle };
  return { text: joinSplit(split, mark), rest: { position: entry.position, label: 'user', handle, texts, ...words } };
}

/** The units with one more at its place. */
export function withUnit(units: readonly Unit[], unit: Unit | undefined): readonly Unit[] {
  if (unit === undefined) return units;
  const behind = units.findIndex(({ position }) => position > unit.position);
  return behind < 0 ? [...units, unit] : [...units.slice(0, behind), unit, ...units.slice(behind)];
}

/** The units with the newest ask in one that is printed whole, and what of it does not fit its share of `roomTokens` in the next one. */
export function splitNewestAsk(
  request: FoldRequest,
  units: readonly Unit[],
  roomTokens: number,
): { readonly units: readonly Unit[]; readonly newestAsk?: number } {
  const { newestAskPosition } = request;
  const newestAsk = units.findLastIndex(({ genuine, position }) => genuine !== undefined && position === newestAskPosition);
  if (newestAskPosition === undefined || newestAsk < 0) return { units };
  const unit = units[newestAsk]!;
  const mark = markFor(request, unit.handle);
  const most = Math.max(roomTokens * NEWEST_ASK_SHARE, Math.min(SHORT_ASK_TOKENS, roomTokens * SHORT_ASK_SHARE));
  const split = splitHeadTail(unit.genuine!, Math.floor(most), mark);
  if (split === undefined) return { units, newestAsk };
  const parts = [joinSplit(split, mark), split.middle].map((text) => ({
    ...unit,
    genuine: text,
    texts: [{ kind: SOURCE.user, table: cutSentences(text) }],
  }));
  return { units: [...units.slice(0, newestAsk), ...parts, ...units.slice(newestAsk + 1)], newestAsk };
}
