// Overflows that come as HTTP 200: a server that truncates, stops empty, or counts more than the window without an error.
import type { FinishedRequest, SilentOverflow } from '../../core/answer.ts';

const LENGTH_REASONS: ReadonlySet<string> = new Set(['length', 'max_tokens', 'max_output_tokens']);
/** An empty answer means the window from here on; below, reasoning used the output up. */
const FULL_SHARE = 0.99;
/** A server that saw less than this share of a calibrated estimate cut the request. */
const TRUNCATED_SHARE = 0.7;
/** A count that is this much over our estimate is a sum over several requests, not a size. */
const PLAUSIBLE_RATIO = 1.5;
const PLAUSIBLE_RATIO_UNCALIBRATED = 3;

/** The silent overflow of an answered request, or undefined. Missing usage proves nothing. */
export function detectSilentOverflow(request: FinishedRequest): SilentOverflow | undefined {
  const { usage, windowTokens, estimateTokens, isCalibrated } = request;
  const reason = request.finishReason?.toLowerCase();
  const { promptTokens } = usage;
  const counted = promptTokens === undefined ? {} : { promptTokens };
  if (reason === 'model_context_window_exceeded') return { kind: 'stopped-at-window', ...counted };
  if (isEmptyAtWindow(request, reason)) return { kind: 'empty-at-window', ...counted };
  if (promptTokens === undefined) return undefined;
  if (windowTokens !== undefined && promptTokens > windowTokens && isPlausible(promptTokens, request))
    return { kind: 'over-window', promptTokens };
  const isCut = isCalibrated && estimateTokens !== undefined && promptTokens < TRUNCATED_SHARE * estimateTokens;
  return isCut ? { kind: 'truncated-upstream', promptTokens } : undefined;
}

function isEmptyAtWindow(request: FinishedRequest, reason?: string): boolean {
  const { usage, hasContent, windowTokens, estimateTokens, isCalibrated } = request;
  if (hasContent || windowTokens === undefined) return false;
  if (usage.promptTokens !== undefined) {
    const isFull = usage.promptTokens >= FULL_SHARE * windowTokens && isPlausible(usage.promptTokens, request);
    return reason !== undefined && LENGTH_REASONS.has(reason) && isFull;
  }
  // A local server that closes the stream at once, with neither usage nor a reason.
  return reason === undefined && isCalibrated && estimateTokens !== undefined && estimateTokens >= FULL_SHARE * windowTokens;
}

function isPlausible(promptTokens: number, { windowTokens = 0, estimateTokens, isCalibrated }: FinishedRequest): boolean {
  if (estimateTokens === undefined) return promptTokens <= PLAUSIBLE_RATIO * windowTokens;
  return promptTokens <= (isCalibrated ? PLAUSIBLE_RATIO : PLAUSIBLE_RATIO_UNCALIBRATED) * estimateTokens;
}
