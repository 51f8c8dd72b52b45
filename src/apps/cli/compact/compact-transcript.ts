// One transcript, compacted by the engine on a store in memory: nothing is left behind.
import { sqliteStore } from '../../../adapters/sqlite/index.ts';
import type { Violation } from '../../../core/codec.ts';
import { UllageError } from '../../../core/errors.ts';
import type { CompactionOutcome } from '../../../core/plan/outcome.ts';
import type { Plan } from '../../../core/plan/plan.ts';
import { isFramedSummary } from '../../../core/summary/frame.ts';
import { createUllage } from '../../../create-ullage.ts';
import type { LoadedRequest } from '../shared/load-transcript.ts';
import { entryTexts, measureRequest, type RequestSize } from '../shared/request-size.ts';
import type { CompactionTarget } from './target.ts';

export interface CompactionRequest extends CompactionTarget {
  readonly size: RequestSize;
  readonly focus?: string;
  readonly isDryRun: boolean;
}

export interface CompactionResult {
  /** unchanged: it fits already. not_compacted: it does not, and nothing could be gained. */
  readonly status: 'compacted' | 'unchanged' | 'not_compacted';
  /** The request to send. Of a dry run: as it came. */
  readonly text: string;
  readonly after: RequestSize;
  /** What the engine says of it; undefined when there was nothing to ask. */
  readonly outcome?: CompactionOutcome;
  /** Of a dry run. */
  readonly plan?: Plan;
  /** Rules of the API that the input broke and the result still breaks. */
  readonly violations: readonly Violation[];
}

/** The parts of a summary and their wrapping are counted apart: room for what their sum may be more. */
const ROUNDING_TOKENS = 8;

/** Windows are made this many times the request, so that nothing but what was asked for becomes due. */
const ROOM_FACTOR = 2;

/** Throws transcript_invalid for a request that cannot be read, internal when a result would break a rule that the input kept. */
export async function compactTranscript(loaded: LoadedRequest, request: CompactionRequest): Promise<CompactionResult> {
  const { transcript, codec } = loaded;
  const { size, targetTokens } = request;
  const isFitting = size.tokens <= targetTokens;
  const beforeCompact = (plan: Plan) => (foldsOnlySummary(loaded, plan) ? 'cancel' : plan);
  const ullage = createUllage({ store: sqliteStore(':memory:'), api: transcript.api, beforeCompact, ...optionsOf(request) });
  try {
    const session = await ullage.session('compact');
    // The body goes through the engine in any case: calls that never got a result are answered.
    const asItCame = await session.prepare(transcript.bodyText);
    const compactOptions = { targetTokens: Math.max(1, targetTokens - ROUNDING_TOKENS), focus: request.focus, dryRun: request.isDryRun };
    const answer = isFitting || size.messages === 0 ? undefined : await session.compact(compactOptions);
    const { plan, ...outcome } = answer ?? {};
    const isCompacted = answer?.status === 'compacted';
    const text = isCompacted && !request.isDryRun ? (await session.prepare(transcript.bodyText)).text : asItCame.text;
    return {
      status: isFitting ? 'unchanged' : isCompacted ? 'compacted' : 'not_compacted',
      text,
      after: request.isDryRun && isCompacted ? plannedSize(size, answer) : measureRequest(codec, text),
      outcome: answer && (outcome as CompactionOutcome),
      plan,
      violations: remainingViolations(loaded, text),
    };
  } finally {
    await ullage.close();
  }
}

function optionsOf({ size, targetTokens, windowTokens }: CompactionRequest) {
  const window = Math.max(windowTokens ?? 0, size.tokens * ROOM_FACTOR, targetTokens * ROOM_FACTOR, 1_000);
  return { models: { window }, policy: { threshold: 1, target: Math.max(targetTokens, 101) } };
}

/** Of a request that was compacted before: a summary of the summary says less and gains next to nothing. */
function foldsOnlySummary({ codec, body }: LoadedRequest, { fold }: Plan): boolean {
  if (fold?.to !== 0) return false;
  const parts = codec.decodeMessage(entryTexts(body)[0] ?? '{}').parts;
  return parts.length > 0 && parts.every((part) => part.kind === 'text' && isFramedSummary(part.text));
}

function plannedSize(size: RequestSize, outcome: CompactionOutcome): RequestSize {
  const { newRequestTokens, oldMessageCount, newMessageCount, oldBytes, newBytes } = outcome;
  return {
    tokens: newRequestTokens,
    preambleTokens: size.preambleTokens,
    messages: size.messages - oldMessageCount + newMessageCount,
    bytes: size.bytes - oldBytes + newBytes,
  };
}

function remainingViolations({ codec, transcript }: LoadedRequest, text: string): readonly Violation[] {
  const violations = codec.validate(text);
  const known = new Set(violations.length === 0 ? [] : codec.validate(transcript.bodyText).map((violation) => violation.rule));
  const added = violations.find((violation) => !known.has(violation.rule));
  if (added === undefined) return violations;
  throw new UllageError('internal', `The compacted request would break ${added.rule} at ${added.path}: ${added.message}`);
}
