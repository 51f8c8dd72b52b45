// Runs the chain of summarizers for one fold: a deadline for all, a check of what comes back, and a list of what failed and why.
import type { AskKind, FailedPath } from '../core/guard/guard.ts';
import { classifySummarizerFailure } from '../core/summary/failure.ts';
import { sumUsage } from '../core/summary/sum-usage.ts';
import type { Summarizer, SummaryPrefix } from '../ports/summarizer.ts';
import { type Context, pathOf } from './context.ts';
import { chainDeadlineMs, pathDeadlineMs, withDeadline } from './deadline.ts';
import { type CallRun, type Range, RejectedSummary, summarizePrefix, summarizeRange } from './summarize-range.ts';
import type { PrefixAnswer } from './summary-prefix.ts';

export interface ProseRequest {
  readonly kind: AskKind;
  /** Paths that may be tried, in order. */
  readonly paths: readonly string[];
  readonly range: Range;
  /** For a summarizer that can be asked behind the request itself. */
  readonly prefixFor: (summarizer: Summarizer) => PrefixAnswer;
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
    const allowedMs = isLastOf(request, path) ? chainDeadlineMs(context, kind) : pathDeadlineMs(context, kind, index);
    const deadlineMs = Math.min(allowedMs, endsAtMs - context.clock.now());
    if (!request.paths.includes(path) || deadlineMs < Math.min(LEAST_CALL_MS, allowedMs)) continue;
    if (signal.aborted) return stopped();
    const prefix = prefixOf(context, request, { summarizer, path });
    if (prefix === undefined && summarizer.usesPrefix?.isOnly) continue;
    if (!(await request.enterPath(path))) return ended('lease-lost');
    if (signal.aborted) return stopped();
    try {
      const run = { path, onUsage: (usage: unknown) => void usages.push(usage) };
      const work = (deadline: AbortSignal) => tryPath(context, request, { ...run, summarizer, prefix, signal: deadline });
      return ended('written', { prose: await withDeadline(context, { deadlineMs, signal }, work), path });
    } catch (error) {
      if (signal.aborted && request.isLeaseLost()) return stopped();
      // Whoever it wrote for has left: that is no failure of its own, and the next caller may ask it.
      if (!signal.aborted && summarizer.hasCaller?.() === false) continue;
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

/** Those behind it may all be cooling: then nothing is kept for them. */
function isLastOf({ paths }: ProseRequest, path: string): boolean {
  return paths.at(-1) === path;
}

function failureOf(error: unknown): string {
  return error instanceof RejectedSummary ? error.reason : classifySummarizerFailure(error);
}

interface PathRun extends CallRun {
  readonly path: string;
  readonly summarizer: Summarizer;
  readonly prefix: SummaryPrefix | undefined;
}

/** Failures of the way to the model: it would meet them again in any form. */
const UNREACHED: ReadonlySet<string> = new Set(['timeout', 'rate', 'auth', 'network']);

/** One path: behind the cached prefix where that may be, then as plain text, then in smaller pieces. No two of its requests are alike. */
async function tryPath(context: Context, request: ProseRequest, run: PathRun): Promise<string> {
  const { range } = request;
  const { summarizer, prefix, signal, onUsage } = run;
  const shares = summarizer.usesPrefix?.isOnly ? [] : WINDOW_SHARES;
  const forms = [
    ...(prefix === undefined ? [] : [() => summarizePrefix(summarizer, range, { signal, onUsage, prefix })]),
    ...shares.map((windowShare) => () => summarizeRange(summarizer, range, { signal, onUsage, windowShare })),
  ];
  for (const [index, form] of forms.entries()) {
    try {
      return await form();
    } catch (error) {
      onUsage(usageIn(error));
      const reason = failureOf(error);
      const isPrefix = prefix !== undefined && index === 0;
      const mayGoOn = isPrefix ? !UNREACHED.has(reason) : reason === 'overflow';
      if (!mayGoOn || signal.aborted || index === forms.length - 1) throw error;
      context.log.write('info', `Summarizer ${run.path} is asked again in another form: ${reason}.`, { path: run.path, reason });
    }
  }
  throw new RejectedSummary('empty');
}

function prefixOf(context: Context, request: ProseRequest, { summarizer, path }: Pick<PathRun, 'summarizer' | 'path'>) {
  if (summarizer.usesPrefix === undefined) return undefined;
  const answer = request.prefixFor(summarizer);
  if ('prefix' in answer) return answer.prefix;
  const instead = summarizer.usesPrefix.isOnly
    ? 'is passed over, it reads the cached prefix only'
    : 'is given plain text, not the cached prefix';
  context.log.write('info', `Summarizer ${path} ${instead}: ${answer.refused}.`, { path, reason: answer.refused });
  return undefined;
}

/** A call that failed may still have been counted. */
function usageIn(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'usage' in error ? error.usage : undefined;
}
