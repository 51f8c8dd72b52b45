// Learning from usage: one multiplicative factor per (route, model), and the window a provider proved to serve.
import type { Calibration } from './size.ts';

/** Weight of a new sample in the moving average; the first is adopted whole. */
const CALIBRATION_WEIGHT = 0.3;

/** Ratios measured / estimated outside are no sign of a tokenizer, but of something the estimate did not see. */
const RATIO_RANGE = { from: 0.67, to: 1.5 } as const;

/** What a factor may ever become. */
const FACTOR_RANGE = { from: 0.5, to: 3 } as const;

export interface CalibrationSample {
  /** Prompt size the provider reported, tokens. */
  readonly measuredTokens: number;
  /** Uncalibrated estimate of the same request, tokens. */
  readonly estimatedTokens: number;
}

/** The same object when the sample teaches nothing. */
export function calibrate(previous: Calibration, sample: CalibrationSample): Calibration {
  const ratio = sample.measuredTokens / sample.estimatedTokens;
  if (!(ratio >= RATIO_RANGE.from && ratio <= RATIO_RANGE.to)) return previous;
  const mixed = previous.samples === 0 ? ratio : previous.factor + CALIBRATION_WEIGHT * (ratio - previous.factor);
  const factor = Math.min(FACTOR_RANGE.to, Math.max(FACTOR_RANGE.from, mixed));
  return { ...previous, factor, samples: previous.samples + 1 };
}

/** A window printed by a provider or learnt from a plateau; never raised. The same object when it is not lower. */
export function lowerWindow(previous: Calibration, windowTokens: number): Calibration {
  if (!(Number.isFinite(windowTokens) && windowTokens > 0)) return previous;
  if (previous.windowTokens !== undefined && previous.windowTokens <= windowTokens) return previous;
  return { ...previous, windowTokens: Math.floor(windowTokens) };
}
