// The frame of the baselines: trim tool results as little as needed; when that is not enough, drop the oldest steps as well.
import type { PartEdit } from '../../../../core/plan/edit.ts';
import { sentTokens } from '../../../../core/plan/edited.ts';
import { estimateTokens } from '../../../../core/size/estimator.ts';
import type { Entry } from '../../../../core/transcript/entry.ts';
import { safeCuts } from '../../../../core/transcript/steps.ts';
import { tokensOfRaws } from '../transcript/entries.ts';
import { assemble } from './assemble.ts';
import type { Compacted, StrategyInput } from './strategy.ts';

/** A tool result. */
export interface ResultPlace {
  readonly position: number;
  readonly part: number;
  readonly text: string;
  readonly tokens: number;
  /** 0 = the newest. */
  readonly rank: number;
}

/** Harder and harder ways to trim results: level 0 is none. */
export interface Trimming {
  readonly levels: number;
  /** The text in place of a result's at a level; undefined = as it is. */
  readonly textAt: (level: number, result: ResultPlace) => string | undefined;
}

const SMALLEST_CAP_TOKENS = 16;

/** Repairs cost tokens that no sum of messages knows: so many more tries with a smaller budget. */
const MORE_TRIES = 3;

/** The mildest trimming that fits, with as few of the oldest steps dropped as needed. What the user asked first always stays. */
export function trimToFit(input: StrategyInput, trimmingOf: (results: readonly ResultPlace[]) => Trimming): Compacted {
  const results = findResults(input.entries);
  const trimming = trimmingOf(results);
  const cuts = safeCuts(input.entries);
  let budgetTokens = input.budgetTokens;
  for (let tries = 0; tries <= MORE_TRIES; tries += 1) {
    const draft = draftWithin({ ...input, budgetTokens }, { results, trimming, cuts });
    if (draft === undefined) break;
    const messages = build(input, draft);
    const over = tokensOfRaws(input.codec, messages) - input.budgetTokens;
    if (over <= 0) return { messages };
    budgetTokens -= over;
  }
  return { messages: newestStep(input, results, cuts.at(-1) ?? 0) };
}

interface Material {
  readonly results: readonly ResultPlace[];
  readonly trimming: Trimming;
  readonly cuts: readonly number[];
}

interface Draft {
  /** Steps before this position are dropped, except what the user asked first. */
  readonly from: number;
  readonly edits: Edits;
}

type Edits = ReadonlyMap<number, readonly PartEdit[]>;

function draftWithin(input: StrategyInput, { results, trimming, cuts }: Material): Draft | undefined {
  const whole = (level: number): Draft => ({ from: 0, edits: editsAt(results, trimming, level) });
  const level = firstFit(trimming.levels, (index) => isFitting(input, whole(index)));
  if (level !== undefined) return whole(level);
  const { edits } = whole(trimming.levels - 1);
  const cut = firstFit(cuts.length, (index) => isFitting(input, { from: cuts[index]!, edits }));
  return cut === undefined ? undefined : { from: cuts[cut]!, edits };
}

/** The first index that fits, when every later one is smaller. */
function firstFit(count: number, fits: (index: number) => boolean): number | undefined {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fits(middle)) high = middle;
    else low = middle + 1;
  }
  return low < count ? low : undefined;
}

function keptOf({ entries, firstAsk }: StrategyInput, from: number): readonly Entry[] {
  return entries.filter(({ position }) => position >= from || position === firstAsk);
}

function isFitting(input: StrategyInput, { from, edits }: Draft): boolean {
  const tokens = keptOf(input, from).reduce((sum, entry) => sum + sentTokens(entry, edits.get(entry.position)), 0);
  return tokens <= input.budgetTokens;
}

function build(input: StrategyInput, { from, edits }: Draft): readonly string[] {
  return assemble({ codec: input.codec, kept: keptOf(input, from), edits });
}

/** Nothing but the newest step is left: its results are cut until it fits, or as short as they get. */
function newestStep(input: StrategyInput, results: readonly ResultPlace[], from: number): readonly string[] {
  for (let cap = Math.floor(input.budgetTokens / 2); cap > SMALLEST_CAP_TOKENS; cap = Math.floor(cap / 2)) {
    const trimming = { levels: 1, textAt: (_: number, { text, tokens }: ResultPlace) => headAndTail(text, tokens, cap) };
    const messages = build(input, { from, edits: editsAt(results, trimming, 0) });
    if (tokensOfRaws(input.codec, messages) <= input.budgetTokens) return messages;
  }
  const trimming = { levels: 1, textAt: () => '[removed]' };
  return build(input, { from, edits: editsAt(results, trimming, 0) });
}

function findResults(entries: readonly Entry[]): readonly ResultPlace[] {
  const found = entries.flatMap(({ position, message }) =>
    message.parts.flatMap((part, index) => (part.kind === 'result' ? [{ position, part: index, text: part.text }] : [])),
  );
  return found.map((result, index) => ({ ...result, tokens: estimateTokens(result.text), rank: found.length - 1 - index }));
}

function editsAt(results: readonly ResultPlace[], trimming: Trimming, level: number): Edits {
  const edits = new Map<number, PartEdit[]>();
  for (const result of results) {
    const text = trimming.textAt(level, result);
    if (text === undefined) continue;
    const own = edits.get(result.position) ?? [];
    own.push({ kind: 'replace-text', part: result.part, text });
    edits.set(result.position, own);
  }
  return edits;
}

/** Beginning and end of a text within about so many tokens; undefined when it fits. */
export function headAndTail(text: string, tokens: number, capTokens: number): string | undefined {
  if (tokens <= capTokens) return undefined;
  const side = Math.floor((text.length * capTokens) / tokens / 2);
  return `${text.slice(0, side)}\n[… ${text.length - 2 * side} characters removed …]\n${text.slice(text.length - side)}`.toWellFormed();
}
