// Runs the chain of summarizers for one fold: a deadline each, a check of what comes back, and a list of what failed and why.
import type { FailedPath } from '../core/guard/guard.ts';
import { acceptSummary, classifySummarizerFailure } from '../core/summary/accept.ts';
import { unframeSummary } from '../core/summary/frame.ts';
import { chunkTranscript, summaryInstructions } from '../core/summary/prompt.ts';
import { redactSecrets } from '../core/summary/redact.ts';
import type { Entry } from '../core/transcript/entry.ts';
import { isGenuineUser } from '../core/transcript/steps.ts';
import type { Summarizer, SummarizerResult } from '../ports/summarizer.ts';
import { type Context, deadlineOf, pathOf } from './context.ts';

export interface ProseRequest {
  /** Paths that may be tried, in order. */
  readonly paths: readonly string[];
  /** What is new since the previous summary. */
  readonly entries: readonly Entry[];
  readonly previousSummary?: string;
  readonly focus?: string;
  readonly maxOutputTokens: number;
  /** Tokens of what the summary replaces. */
  readonly replacedTokens: number;
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
  readonly usage?: unknown;
  readonly failed: readonly FailedPath[];
  readonly isLeaseLost: boolean;
}

const DEFAULT_SUMMARIZER_WINDOW = 32_000;

export async function writeProse(context: Context, request: ProseRequest): Promise<ProseResult> {
  const failed: FailedPath[] = [];
  const deadlineMs = deadlineOf(context);
  for (const [index, summarizer] of context.summarizers.entries()) {
    const path = pathOf(summarizer, index);
    if (!request.paths.includes(path)) continue;
    if (request.signal.aborted) return { failed, isLeaseLost: request.isLeaseLost() };
    if (!(await request.enterPath(path))) return { failed, isLeaseLost: true };
    try {
      const written = await withDeadline(context, { deadlineMs, signal: request.signal }, (signal) =>
        summarizeRange(summarizer, request, signal),
      );
      return { prose: written.text, path, usage: written.usage, failed, isLeaseLost: false };
    } catch (error) {
      if (request.signal.aborted && request.isLeaseLost()) return { failed, isLeaseLost: true };
      if (request.signal.aborted) return { failed: [...failed, { path, deadlineMs, reason: 'aborted' }], isLeaseLost: false };
      const reason = error instanceof RejectedSummary ? error.reason : classifySummarizerFailure(error);
      failed.push({ path, deadlineMs, reason });
      context.log.write('warn', `Summarizer ${path} failed: ${reason}.`, { path, reason });
    }
  }
  return { failed, isLeaseLost: false };
}

class RejectedSummary extends Error {
  readonly reason: string;
  constructor(reason: string) {
    super(`The summary was rejected: ${reason}.`);
    this.reason = reason;
  }
}

/** Chunks that fit the summarizer's own window, each summarised with the summary so far. */
async function summarizeRange(
  summarizer: Summarizer,
  request: ProseRequest,
  signal: AbortSignal,
): Promise<{ text: string; usage?: unknown }> {
  const windowTokens = summarizer.windowTokens ?? DEFAULT_SUMMARIZER_WINDOW;
  const chunkTokens = Math.max(1_000, Math.floor(windowTokens * 0.7) - 2 * request.maxOutputTokens);
  const hasGenuineUser = request.entries.some(isGenuineUser);
  const instructions = summaryInstructions({ maxOutputTokens: request.maxOutputTokens, hasGenuineUser, focus: request.focus });
  let previousSummary =
    request.previousSummary === undefined ? undefined : redactSecrets(unframeSummary(request.previousSummary) ?? request.previousSummary);
  const usages: unknown[] = [];
  for (const text of chunkTranscript(request.entries, chunkTokens)) {
    const { maxOutputTokens, focus } = request;
    const result: SummarizerResult = await summarizer({ text, previousSummary, instructions, focus, maxOutputTokens, signal });
    const accepted = acceptSummary({
      text: result.text,
      finishReason: result.finishReason,
      replacedTokens: request.replacedTokens,
      maxTokens: Math.ceil(maxOutputTokens * 1.5),
      hasGenuineUser,
      instructions,
      inputText: text,
    });
    if (!accepted.ok) throw new RejectedSummary(accepted.reason);
    previousSummary = accepted.text;
    if (result.usage !== undefined) usages.push(result.usage);
  }
  return { text: previousSummary ?? '', usage: usages.length > 1 ? usages : usages[0] };
}

/** Races the work against the deadline; the work's signal aborts when it loses, and its late result is dropped. */
async function withDeadline<T>(
  context: Context,
  limits: { readonly deadlineMs: number; readonly signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort(limits.signal.reason);
  limits.signal.addEventListener('abort', abort, { once: true });
  const timeout = context.clock.wait(limits.deadlineMs, controller.signal).then(() => {
    throw Object.assign(new Error(`No summary within ${limits.deadlineMs} ms.`), { name: 'TimeoutError' });
  });
  const aborted = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
  });
  try {
    return await Promise.race([work(controller.signal), timeout, aborted]);
  } finally {
    limits.signal.removeEventListener('abort', abort);
    timeout.catch(() => {});
    aborted.catch(() => {});
    controller.abort();
  }
}
