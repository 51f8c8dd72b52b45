// Threshold and target as they are said on the command line → the engine's policy.
import { UllageError } from '../../../core/errors.ts';
import type { PolicyOptions } from '../../../core/size/policy.ts';
import { POLICY_DEFAULTS } from '../../../core/size/policy.ts';
import { type Amount, parseAmount, tokensOf } from '../shared/amount.ts';
import { formatCount } from '../terminal/numbers.ts';

export interface PolicyFlags {
  readonly threshold?: string;
  readonly target?: string;
}

export interface AskedPolicy {
  readonly threshold?: Amount;
  readonly target?: Amount;
}

/** Throws option_invalid. */
export function parsePolicy(flags: PolicyFlags): AskedPolicy {
  return {
    threshold: flags.threshold === undefined ? undefined : parseAmount('--threshold', flags.threshold),
    target: flags.target === undefined ? undefined : parseAmount('--target', flags.target),
  };
}

/** Throws option_invalid when the target is not below the threshold, or the threshold not within the window. */
export function policyFor({ threshold, target }: AskedPolicy, windowTokens: number): PolicyOptions {
  const thresholdTokens = threshold === undefined ? POLICY_DEFAULTS.threshold * windowTokens : tokensOf(threshold, windowTokens);
  if (thresholdTokens > windowTokens) throw invalid('--threshold', thresholdTokens, `at most the window, ${formatCount(windowTokens)}`);
  if (target !== undefined && tokensOf(target, windowTokens) >= thresholdTokens)
    throw invalid('--target', tokensOf(target, windowTokens), `below the threshold, ${formatCount(thresholdTokens)}`);
  return { threshold: numberOf(threshold), target: numberOf(target) };
}

function numberOf(amount: Amount | undefined): number | undefined {
  return amount?.kind === 'tokens' ? amount.tokens : amount?.share;
}

function invalid(option: string, tokens: number, limit: string): UllageError {
  return new UllageError('option_invalid', `${option} is ${formatCount(tokens)} tokens: it must be ${limit}.`);
}
