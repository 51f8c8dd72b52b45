// The usage that is reported, which a fault may make wrong. The bill is kept elsewhere and stays right.
import type { Api } from '../../core/transcript/entry.ts';
import type { Answer } from './answer.ts';
import type { UsageFault } from './fault.ts';
import type { CachedInput } from './prefix-cache.ts';
import { usageOf } from './usage.ts';
import type { AnswerContext } from './write.ts';

export interface UsageReport {
  /** The member of an answer that reports its usage. */
  of(api: Api, input: CachedInput, output: Output, fault?: UsageFault['usage']): AnswerContext['usage'];
}

type Output = Pick<Answer, 'outputTokens' | 'thinkingTokens'>;

const NONE: CachedInput = { uncachedInput: 0, cacheRead: 0, cacheWrite: 0, cacheWrite1h: 0 };

/** A report that also adds up, for relays that report sums. */
export function createUsageReport(): UsageReport {
  let sum = NONE;
  let outputSum: Output = { outputTokens: 0, thinkingTokens: 0 };
  return {
    of(api, input, output, fault) {
      sum = added(sum, input);
      outputSum = added(outputSum, { outputTokens: output.outputTokens, thinkingTokens: output.thinkingTokens });
      if (fault === 'missing') return {};
      if (fault === 'null') return { usage: null };
      if (fault === 'zero') return { usage: usageOf(api, NONE, { outputTokens: 0, thinkingTokens: 0 }) };
      return { usage: fault === 'cumulative' ? usageOf(api, sum, outputSum) : usageOf(api, input, output) };
    },
  };
}

function added<T extends object>(a: T, b: T): T {
  return Object.fromEntries(Object.entries(a).map(([key, value]) => [key, (value as number) + (b as Record<string, number>)[key]!])) as T;
}
