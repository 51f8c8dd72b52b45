// Runs the chain of summarizers for one fold: a deadline for all, a check of what comes back, and a list of what failed and why.
import type { AskKind, FailedPath } from '../core/guard/guard.ts';
import { classifySummarizerFailure } from '../core/summary/failure.ts';
import { sumUsage } from '../core/summary/sum-usage.ts';
import type { Summarizer } from '../ports/summarizer.ts';
import { type Context, pathOf } from './context.ts';
import { chainDeadlineMs, pathDeadlineMs, withDeadline } from './deadline.ts';
import { type Range, RejectedSummary, summarizeRange } from './summarize-range.ts';

export interface ProseRequest {
  readonly kind: AskKind;
  /** Paths that may be tried, in order. */
  readonly paths: readonly string[];
  readonly range: Range;
  /** Gets every path that fails, as it fails: it is told also when a later step throws. */
  readonly failed: FailedPath[];
  /** Records the path before its first call; false = the lease is lost, stop. */
  readonly enterPath: (path: string) => Promise<boolean>;
  /** Ends the wait for any model. */
  readonly signal: AbortSignal;
  /** After that: whether another holds the lease. */
  readonly isLeaseLost: () => boolean;
}

export interface ProseResult {
  readonly prose?: string;
  readonly path?: string;
  /** Of all calls, failed ones too, as far as they told. */
  readonly usage?: unknown;
  readonly end: 'written' | 'none' | 'lease-lost' | 'aborted';
}

/** With less time than this left, no further path is begun. */
const LEAST_CALL_MS = 1_000;
/** After an overflow the same path is asked once more, for pieces of half the size. */
const WINDOW_SHARES = [1, 0.5] as const;

export async function writeProse(context: Context, request: ProseRequest): Promise<ProseResult> {
  const { kind, signal } = request;
  const usages: unknown[] = [];
  const endsAtMs = context.clock.now() + chainDeadlineMs(context, kind);
  const ended = (end: ProseResult['end'], more: Pick<ProseResult, 'prose' | 'path'> = {}): ProseResult => {
    const usage = sumUsage(usages);
    return { end, ...more, ...(usage === undefined ? {} : { usage }) };
  };
  const stopped = () => ended(request.isLeaseLost() ? 'lease-lost' : 'aborted');
  for (const [index, summarizer] of context.summarizers.entries()) {
    const path = pathOf(summarizer, index);
    const allowedMs = pathDeadlineMs(context, kind, index);
    const deadlineMs = Math.min(allowedMs, endsAtMs - context.clock.now());
    if (!request.paths.includes(path) || deadlineMs < Math.min(LEAST_CALL_MS, allowedMs)) continue;
    if (signal.aborted) return stopped();
    if (!(await request.enterPath(path))) return ended('lease-lost');
    try {
      const work = (deadline: AbortSignal) => tryPath(summarizer, request.range, { signal: deadline, usages });
      return ended('written', { prose: await withDeadline(context, { deadlineMs, signal }, work), path });
    } catch (error) {
      if (signal.aborted && request.isLeaseLost()) return stopped();
      const reason = signal.aborted ? 'aborted' : failureOf(error);
      // A cooldown learnt while little time was left must not bind an attempt that has more.
      const failed = { path, deadlineMs: reason === 'timeout' ? deadlineMs : allowedMs, reason };
      request.failed.push(failed);
      if (signal.aborted) return stopped();
      context.log.write('warn', `Summarizer ${path} failed: ${reason}.`, { path, reason });
    }
  }
  return ended('none');
}

function failureOf(error: unknown): string {
  return error instanceof RejectedSummary ? error.reason : classifySummarizerFailure(error);
}

/** One path; what overflows its window is tried again in smaller pieces, so that no two of its requests are alike. */
async function tryPath(
  summarizer: Summarizer,
  range: Range,
  run: { readonly signal: AbortSignal; readonly usages: unknown[] },
): Promise<string> {
  const { signal, usages } = run;
  const onUsage = (usage: unknown) => void usages.push(usage);
  let failure: unknown;
  for (const windowShare of WINDOW_SHARES) {
    try {
      return (await summarizeRange(summarizer, range, { signal, onUsage, windowShare })).text;
    } catch (error) {
      failure = error;
      onUsage(usageIn(error));
      if (failureOf(error) !== 'overflow' || signal.aborted) break;
    }
  }
  throw failure;
}

/** A call that failed may still have been counted. */
function usageIn(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'usage' in error ? error.usage : undefined;
}
