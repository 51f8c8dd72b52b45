// The window a transcript is played in: the one that was said, the model's, or a smaller one in which something happens.
import { findModel } from '../../../core/size/models.ts';
import { formatCount } from '../terminal/numbers.ts';
import type { History } from './history.ts';

export interface WindowChoice {
  readonly tokens: number;
  readonly source: 'told' | 'model' | 'chosen';
  /** For people. */
  readonly why: string;
}

/** Share of a window at which its compaction is due, about. */
const DUE_SHARE = 0.75;
/** A chosen window is filled about so many times over. */
const FILLED = 1.5;
/** A chosen window has room for so many preambles: below that a floor is all there is to see. */
const PREAMBLES = 4;
const SIZES = [1_000_000, 500_000, 256_000, 200_000, 128_000, 64_000, 32_000, 16_000, 8_000, 4_000] as const;

export function chooseWindow(history: History, known: { readonly told?: number; readonly model?: string }): WindowChoice {
  const { told, model } = known;
  if (told !== undefined) return { tokens: told, source: 'told', why: 'as said' };
  const ofModel = model === undefined ? undefined : findModel(model)?.window;
  const { peakTokens } = history;
  if (ofModel !== undefined && peakTokens >= DUE_SHARE * ofModel) return { tokens: ofModel, source: 'model', why: `that of ${model}` };
  const reason =
    ofModel === undefined
      ? `the transcript peaks at ${formatCount(peakTokens)} tokens`
      : `the ${formatCount(ofModel)} of its model would not fill: it peaks at ${formatCount(peakTokens)}`;
  return { tokens: chosenSize(history), source: 'chosen', why: `chosen so that something happens, ${reason}; --window says another` };
}

function chosenSize({ peakTokens, preambleTokens }: History): number {
  const roomy = SIZES.filter((size) => size >= PREAMBLES * preambleTokens);
  return roomy.find((size) => size * DUE_SHARE * FILLED <= peakTokens) ?? roomy.at(-1) ?? SIZES[0];
}
