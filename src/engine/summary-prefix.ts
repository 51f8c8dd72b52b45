// The request that was sent already, up to the end of a fold, for a summarizer that can be asked behind it; or the reason why not.
import type { Fold } from '../core/plan/plan.ts';
import { estimateTokens } from '../core/size/estimator.ts';
import { type PrefixRefusal, prefixRefusal } from '../core/summary/prefix.ts';
import { chunkTranscript } from '../core/summary/render-transcript.ts';
import type { Summarizer, SummaryPrefix } from '../ports/summarizer.ts';
import type { Run } from './run.ts';

export type PrefixAnswer = { readonly prefix: SummaryPrefix } | { readonly refused: PrefixRefusal };

/** More than the instructions ever take, tokens. */
const INSTRUCTION_TOKENS = 1_200;
/** A model may miss the length it is told by so much. */
const OUTPUT_SLACK = 1.25;

export interface PrefixWish {
  readonly fold: Fold;
  readonly maxOutputTokens: number;
}

export function prefixOf({ context, state, entries }: Run, { fold, maxOutputTokens }: PrefixWish, summarizer: Summarizer): PrefixAnswer {
  const { usesPrefix } = summarizer;
  const { intake, rendered, shape, measure, budget, view } = state;
  if (usesPrefix === undefined) return { refused: 'other_model' };
  const { api } = intake.body;
  const range = entries.slice(0, fold.to + 1);
  const last = rendered.messages.findLastIndex(({ position }) => position !== undefined && position <= fold.to);
  const sent = rendered.messages.slice(0, last + 1);
  const body = context.codec.spliceMessages(
    intake.body,
    sent.map(({ raw }) => raw),
  );
  const tokens = (intake.preamble.tokens + sent.reduce((sum, message) => sum + message.tokens, 0)) * measure.factor;
  const newest = state.bound.located.anchors.find(
    (anchor) =>
      anchor.model === shape.model &&
      anchor.route === context.route &&
      anchor.viewId === (view?.viewId ?? '') &&
      anchor.preambleDigest === intake.preamble.digest,
  );
  const since = view?.body.fold?.to ?? -1;
  const refused = prefixRefusal({
    api,
    model: shape.model,
    usesPrefix,
    entries: range.slice(since + 1),
    body,
    hasTools: intake.facts.toolNames.length > 0,
    tokens: tokens + INSTRUCTION_TOKENS + Math.ceil(maxOutputTokens * OUTPUT_SLACK),
    windowTokens: budget.window,
    plainTokens: chunkTranscript(range.slice(since + 1), { chunkTokens: Number.MAX_SAFE_INTEGER }).reduce(
      (sum, text) => sum + estimateTokens(text),
      0,
    ),
    idleMs: newest && context.clock.now() - newest.atMs,
  });
  return refused === undefined ? { prefix: { api, body } } : { refused };
}
