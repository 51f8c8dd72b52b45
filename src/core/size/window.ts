// Which window counts: the most specific one known. What a provider proved only lowers.
import { UllageError } from '../errors.ts';

/** The window of a model nobody knows, tokens: what most models of the last years have at least. */
export const GUESSED_WINDOW_TOKENS = 128_000;

/** The smallest window that leaves room for a target below a threshold, tokens. */
export const LEAST_WINDOW_TOKENS = 4;

export interface KnownWindows {
  /** Said by the caller. */
  readonly told?: number;
  /** Printed by the provider in an overflow, or shown by a plateau (calibration.ts). */
  readonly learnt?: number;
  /** From the built-in registry (models.ts). */
  readonly registry?: number;
}

/**
 * Tokens of the window: what the caller told, else the registry's, each lowered by what the provider proved; for a model nobody knows what the
 * provider printed, else a guess. Throws UllageError option_invalid for a told window that is no positive number.
 */
export function resolveWindow({ told, learnt, registry }: KnownWindows): number {
  if (told !== undefined) checkWindow(told);
  const believed = told ?? registry ?? learnt ?? GUESSED_WINDOW_TOKENS;
  return Math.floor(Math.min(believed, learnt ?? believed));
}

/** True when the window is only a guess: worth a warning, and no reading may be called too large for it. */
export function isWindowGuessed({ told, learnt, registry }: KnownWindows): boolean {
  return told === undefined && registry === undefined && learnt === undefined;
}

/** Throws UllageError option_invalid. */
export function checkWindow(windowTokens: number): void {
  if (Number.isFinite(windowTokens) && windowTokens >= LEAST_WINDOW_TOKENS) return;
  const limit = `a number of tokens, ${LEAST_WINDOW_TOKENS} or more`;
  const message = `Option window is ${String(windowTokens)}; it must be ${limit}. Correct it in the option models, or leave the model out of it.`;
  throw new UllageError('option_invalid', message, { details: { option: 'window', value: windowTokens, limit } });
}
