// What a compaction aims for: what was asked, or a quarter of the request within what the model's window allows.
import { UllageError } from '../../../core/errors.ts';
import { findModel } from '../../../core/size/models.ts';
import { parseAmount, tokensOf } from '../shared/amount.ts';
import { formatCount, parseTokens } from '../terminal/numbers.ts';

/** A quarter keeps nearly all of what an agent needs again; see docs/benchmarks.md. */
const DEFAULT_SHARE = 0.25;
/** Share of the window that the default never exceeds: what an automatic compaction aims for. */
const WINDOW_SHARE = 0.35;

export interface TargetFlags {
  readonly target?: string;
  readonly window?: string;
}

export interface CompactionTarget {
  readonly targetTokens: number;
  /** The window as it was said, else what is known of the model. */
  readonly windowTokens?: number;
}

/** Throws option_invalid for a target that is no size or does not fit the window. */
export function resolveTarget(flags: TargetFlags, request: { readonly tokens: number; readonly model?: string }): CompactionTarget {
  const told = flags.window === undefined ? undefined : parseTokens('--window', flags.window);
  const windowTokens = told ?? (request.model === undefined ? undefined : findModel(request.model)?.window);
  if (flags.target === undefined) {
    const most = windowTokens === undefined ? Number.POSITIVE_INFINITY : WINDOW_SHARE * windowTokens;
    return { targetTokens: Math.max(1, Math.floor(Math.min(DEFAULT_SHARE * request.tokens, most))), windowTokens };
  }
  const targetTokens = Math.max(1, tokensOf(parseAmount('--target', flags.target), request.tokens));
  if (told !== undefined && targetTokens >= told) {
    throw new UllageError(
      'option_invalid',
      `--target ${flags.target} is ${formatCount(targetTokens)} tokens: it must be below --window, ${formatCount(told)}.`,
    );
  }
  return { targetTokens, windowTokens };
}
