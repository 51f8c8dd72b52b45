// Learning from usage: one multiplicative factor per (route, model), and the window a provider proved to serve.
import type { Calibration } from './size.ts';

/** Weight of a new sample in the moving average; the first is adopted whole. Three requests replace two thirds of what was learnt. */
export const CALIBRATION_WEIGHT = 0.3;

/** Ratios measured / estimated outside are no sign of a tokenizer, but of something the estimate did not see. */
export const CALIBRATION_RATIO_RANGE = { from: 0.67, to: 1.5 } as const;

/** What a factor may ever become, whatever was stored. */
export const CALIBRATION_FACTOR_RANGE = { from: 0.5, to: 3 } as const;

/** Estimates below, tokens, teach nothing: the wrapping that a provider adds outweighs the text. */
export const CALIBRATION_LEAST_TOKENS = 200;

/** One answered request. */
export interface CalibrationSample {
  /** Prompt size the provider reported, tokens; only one that was believed (reading.ts). */
  readonly measuredTokens: number;
  /** Uncalibrated estimate of the same request, tokens. */
  readonly estimatedTokens: number;
}

/** The calibration after a sample; the same object when the sample teaches nothing. */
export function calibrate(previous: Calibration, sample: CalibrationSample): Calibration {
  const ratio = sample.measuredTokens / sample.estimatedTokens;
  const { from, to } = CALIBRATION_RATIO_RANGE;
  if (!(ratio >= from && ratio <= to && sample.estimatedTokens >= CALIBRATION_LEAST_TOKENS)) return previous;
  const mixed = previous.samples === 0 ? ratio : previous.factor + CALIBRATION_WEIGHT * (ratio - previous.factor);
  const factor = Math.min(CALIBRATION_FACTOR_RANGE.to, Math.max(CALIBRATION_FACTOR_RANGE.from, mixed));
  return { ...previous, factor, samples: previous.samples + 1 };
}

/** A window printed by a provider or learnt from a plateau; never raised. The same object when it is not lower, or no window at all. */
export function lowerWindow(previous: Calibration, windowTokens: number): Calibration {
  const tokens = Math.floor(windowTokens);
  if (!(Number.isFinite(tokens) && tokens >= 1)) return previous;
  if (previous.windowTokens !== undefined && previous.windowTokens <= tokens) return previous;
  return { ...previous, windowTokens: tokens };
}
