// Exact token counts of the o200k_base vocabulary behind the TokenCounter port. The vocabulary (about 60 MB in memory) is loaded on demand.
import { estimateTokens } from '../../core/size/estimator.ts';
import type { TokenCounter } from '../../ports/token-counter.ts';
import { cutLongRuns } from './run-guard.ts';

/** Options of {@link exactCounter}. */
export interface ExactCounterOptions {
  /** Texts that are remembered with their count; 0 = none. Default 4,096. */
  readonly cacheEntries?: number;
  /** Longest text that is remembered, characters. Default 2,000. */
  readonly cacheChars?: number;
}

const CACHE_ENTRIES = 4_096;
const CACHE_CHARS = 2_000;

/** Text like <|endoftext|> counts as the text it is. */
const AS_TEXT = { disallowedSpecial: new Set<string>() };

/**
 * A counter that is exact for OpenAI's o200k models and close for others. Linear in time on any text: runs without a break are counted in
 * slices, and a text with an unbroken run of more than 256 KB is estimated. Not for hot paths: it is some fifty times slower than the estimator.
 *
 * @example
 * ```ts
 * const ullage = createUllage({ store, api: 'openai-chat', counter: await exactCounter() });
 * ```
 */
export async function exactCounter(options: ExactCounterOptions = {}): Promise<TokenCounter> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  const { cacheEntries = CACHE_ENTRIES, cacheChars = CACHE_CHARS } = options;
  const known = new Map<string, number>();
  const countAll = (text: string): number => {
    const slices = cutLongRuns(text);
    return slices ? slices.reduce((sum, slice) => sum + countTokens(slice, AS_TEXT), 0) : estimateTokens(text);
  };
  const count = (text: string): number => {
    if (text.length > cacheChars || cacheEntries <= 0) return countAll(text);
    const before = known.get(text);
    if (before !== undefined) return before;
    const tokens = countAll(text);
    if (known.size >= cacheEntries) known.delete(known.keys().next().value!);
    known.set(text, tokens);
    return tokens;
  };
  return { name: 'o200k_base', count };
}
