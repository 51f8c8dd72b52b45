// One summarizer, one range: texts that fit its own window, each summarised together with the summary so far, each answer checked.

import { estimateTokens } from '../core/size/estimator.ts';
import { acceptSummary, type Rejection } from '../core/summary/accept.ts';
import { guessLanguage } from '../core/summary/language.ts';
import { previousForModel } from '../core/summary/previous.ts';
import { cleanFocus, PROMPT_FRAME_TOKENS, summaryInstructions } from '../core/summary/prompt.ts';
import { chunkTranscript } from '../core/summary/render-transcript.ts';
import type { Entry } from '../core/transcript/entry.ts';
import type { Summarizer, SummarizerRequest, SummaryPrefix } from '../ports/summarizer.ts';

/** What is to be summarised, whoever does it. */
export interface Range {
  /** What is new since the previous summary. */
  readonly entries: readonly Entry[];
  readonly previousSummary?: string;
  readonly focus?: string;
  readonly maxOutputTokens: number;
  /** Tokens of what the summary replaces. */
  readonly replacedTokens: number;
  /** A person spoke in what the summary will cover, also before `entries`. */
  readonly hasGenuineUser: boolean;
  /** All that stands in user's messages. */
  readonly userText: string;
  /** What a person wrote, newest first. */
  readonly genuineText: string;
  readonly pins: readonly string[];
}

/** An answer that is no summary; nothing of it is kept. */
export class RejectedSummary extends Error {
  readonly reason: Rejection | 'overflow';
  constructor(reason: Rejection | 'overflow') {
    super(`The summary was rejected: ${reason}.`);
    this.reason = reason;
  }
}

const DEFAULT_WINDOW_TOKENS = 32_000;
/** Share of the window that is used: estimates are not the model's own counts. */
const SURE_SHARE = 0.9;
/** Of the window, at most: the rest is for what is summarised. */
const OUTPUT_SHARE = 0.125;
/** A model may miss the length it is told by so much. */
const OUTPUT_SLACK = 1.25;
/** A summary is accepted up to so many times the length that was asked for; the next call must be able to read it. */
const ACCEPTED_LENGTH = 1.5;
const LEAST_CHUNK_TOKENS = 256;
const LEAST_OUTPUT_TOKENS = 128;
const MOST_CHUNKS = 32;

/** How a range is divided for a window. */
interface Division {
  readonly outputTokens: number;
  readonly previousTokens: number;
  readonly instructions: string;
  readonly chunks: readonly string[];
}

/** How a call is made, and who is told of what it cost. */
export interface CallRun {
  readonly signal: AbortSignal;
  /** Told of every answer, also of a rejected one. */
  readonly onUsage: (usage: unknown) => void;
}

/** In texts that fit `windowShare` of its window. Throws RejectedSummary, or what the summarizer throws. */
export async function summarizeRange(
  summarizer: Summarizer,
  range: Range,
  run: CallRun & { readonly windowShare: number },
): Promise<string> {
  const windowTokens = Math.floor((summarizer.windowTokens ?? DEFAULT_WINDOW_TOKENS) * run.windowShare);
  const { outputTokens, previousTokens, instructions, chunks } = divide(
    { ...range, maxOutputTokens: mostOutput(summarizer, range) },
    windowTokens,
  );
  // Nothing in it can be read: what was never asked is no summary.
  if (chunks.length === 0) throw new RejectedSummary('empty');
  const { previousSummary: framed, pins } = range;
  let previousSummary = framed === undefined ? undefined : previousForModel(framed, { pins, maxTokens: previousTokens });
  for (const text of chunks)
    previousSummary = await askOnce(summarizer, range, {
      run,
      request: { text, previousSummary, instructions, maxOutputTokens: outputTokens },
    });
  return previousSummary ?? '';
}

/** A model that is told more than it can write is cut off. */
function mostOutput({ maxOutputTokens }: Summarizer, range: Range): number {
  return Math.max(LEAST_OUTPUT_TOKENS, Math.min(range.maxOutputTokens, maxOutputTokens ?? Number.POSITIVE_INFINITY));
}

/** Behind the request that was sent already: the previous summary stands in it. */
export async function summarizePrefix(
  summarizer: Summarizer,
  range: Range,
  run: CallRun & { readonly prefix: SummaryPrefix },
): Promise<string> {
  const maxOutputTokens = mostOutput(summarizer, range);
  const instructions = instructionsFor(range, maxOutputTokens);
  return askOnce(summarizer, range, { run, request: { text: '', prefix: run.prefix, instructions, maxOutputTokens } });
}

async function askOnce(
  summarizer: Summarizer,
  range: Range,
  call: { readonly run: CallRun; readonly request: Omit<SummarizerRequest, 'focus' | 'signal'> },
): Promise<string> {
  const { run, request } = call;
  // One that does not heed its signal goes on after the deadline: no further call of it is paid for.
  run.signal.throwIfAborted();
  const focus = range.focus === undefined ? undefined : cleanFocus(range.focus);
  const result = await summarizer({ ...request, focus, signal: run.signal });
  run.onUsage(result.usage);
  const accepted = acceptSummary({
    text: String(result.text ?? ''),
    finishReason: String(result.finishReason ?? ''),
    replacedTokens: range.replacedTokens,
    maxTokens: Math.ceil(request.maxOutputTokens * ACCEPTED_LENGTH),
    hasGenuineUser: range.hasGenuineUser,
    userText: range.userText,
    genuineText: range.genuineText,
    pins: range.pins,
    instructions: request.instructions,
    inputText: request.text === '' ? undefined : request.text,
    previousSummary: request.previousSummary,
  });
  if (!accepted.ok) throw new RejectedSummary(accepted.reason);
  return accepted.text;
}

function instructionsFor({ hasGenuineUser, focus, genuineText }: Range, maxOutputTokens: number): string {
  const { language } = guessLanguage(genuineText);
  return summaryInstructions({ maxOutputTokens, hasGenuineUser, focus, language });
}

function divide(range: Range, windowTokens: number): Division {
  const outputTokens = Math.min(range.maxOutputTokens, Math.floor(windowTokens * OUTPUT_SHARE));
  const previousTokens = Math.ceil(outputTokens * ACCEPTED_LENGTH);
  const instructions = instructionsFor(range, outputTokens);
  const around = estimateTokens(instructions) + PROMPT_FRAME_TOKENS + Math.ceil(outputTokens * OUTPUT_SLACK);
  const roomTokens = Math.floor(windowTokens * SURE_SHARE) - around;
  const cut = (chunkTokens: number) => {
    if (chunkTokens < LEAST_CHUNK_TOKENS) throw new RejectedSummary('overflow');
    return chunkTranscript(range.entries, { chunkTokens, mostChunks: MOST_CHUNKS });
  };
  // A single call without a summary before it has the whole room.
  const whole = range.previousSummary === undefined ? cut(roomTokens) : [];
  const chunks = whole.length === 1 ? whole : cut(roomTokens - previousTokens);
  if (chunks.length > MOST_CHUNKS) throw new RejectedSummary('overflow');
  return { outputTokens, previousTokens, instructions, chunks };
}
