// Amendments: what a provider refused goes out of what is sent now, and stays out. No plan, no summary, no model.

import type { EntryEdit } from '../core/plan/edit.ts';
import { editMedia, type MediaWish } from '../core/plan/media-edits.ts';
import type { Plan } from '../core/plan/plan.ts';
import { dropVerifiedThinking } from '../core/transcript/thinking.ts';
import { amendView, sentMessages } from './amend-view.ts';
import { replacementOf, withoutRefused } from './refused.ts';
import { renderFor } from './request.ts';
import { type Candidate, type Run, requestTokens } from './run.ts';

/** The request without reasoning that a provider verifies; undefined when it holds none. */
export function withoutThinking(run: Run): Candidate | undefined {
  const { state, context, entries } = run;
  const edits = sentMessages(context.codec, entries, state.view).flatMap(({ position, message }): EntryEdit[] => {
    // Blocks that are bound to what stands before them go by the stamp of their answer: this view has an id of its own.
    const hasOther = message.parts.some((part) => part.kind === 'thinking' && !part.isBound && part.opaqueChars > 0);
    return hasOther ? [{ position, kind: 'prune', edits: dropVerifiedThinking(message) }] : [];
  });
  const touched = state.intake.heads.flatMap((head, position) => (head.hasBoundThinking ? [position] : []));
  return amended(run, { edits, touched, kind: 'amendment' });
}

/** The request without the media that fit the wish; undefined when there are none. */
export function withoutMedia(run: Run, wish: MediaWish): Candidate | undefined {
  const { state, context, entries } = run;
  const messages = sentMessages(context.codec, entries, state.view);
  const edits = editMedia({ messages, newestAsk: newestAskOf(run), canOpenHandles: state.shape.canOpenHandles }, wish);
  return edits.length === 0 ? undefined : amended(run, { edits, touched: [], kind: 'compaction' });
}

function newestAskOf({ state }: Run): number {
  return state.intake.heads.findLastIndex((head) => head.isGenuineUser);
}

/** The run as it is when the media that fit the wish are already gone: a plan may fold and shorten what is left. */
export function withMediaRefused(run: Run, wish: MediaWish): Run {
  const { state, context, entries, refused } = run;
  const { codec } = context;
  const edits = editMedia({ messages: entries, newestAsk: newestAskOf(run), canOpenHandles: state.shape.canOpenHandles }, wish);
  const gone = edits.map(({ position, edits: own }) =>
    replacementOf(codec, { position, raw: codec.editMessage(entries[position]!.message.raw, own), kind: 'refused' }),
  );
  return { ...run, ...withoutRefused(codec, { entries, refused, work: run.work }, gone) };
}

interface Amended {
  readonly edits: readonly EntryEdit[];
  readonly touched: readonly number[];
  readonly kind: 'compaction' | 'amendment';
}

function amended(run: Run, { edits, touched, kind }: Amended): Candidate | undefined {
  const { context, state, goal, entries } = run;
  const { codec } = context;
  const names = { viewId: run.attemptId, base: state.view, follows: state.bound.guard.view, atMs: context.clock.now() };
  const view = amendView({ codec, entries, edits, touched, kind, ...names });
  const rendered = renderFor(context, { intake: state.intake, view, pins: state.bound.located.pins });
  const before = state.rendered.messages;
  const isSame = rendered.messages.length === before.length && rendered.messages.every(({ raw }, index) => raw === before[index]!.raw);
  if (isSame) return undefined;
  const text = codec.spliceMessages(
    state.intake.body,
    rendered.messages.map((message) => message.raw),
  );
  const newTokens = Math.max(0, Math.ceil(requestTokens(state, goal) - (state.rendered.tokens - rendered.tokens) * goal.factor));
  return { plan: planOf(run, edits, rendered.tokens), view, rendered, newTokens, text };
}

/** The edits in the words of a plan, for whoever looks at it and for the outcome. */
function planOf({ state, goal, entries }: Run, edits: readonly EntryEdit[], newTokens: number): Plan {
  const saved = state.rendered.tokens - newTokens;
  const oldTokens = edits.reduce((sum, { position }) => sum + entries[position]!.tokens, 0);
  return {
    pass: goal.firstPass,
    edits,
    tailFrom: (edits.at(-1)?.position ?? -1) + 1,
    watermark: entries.length - 1,
    newTokens,
    stages: edits.length === 0 ? [] : [{ kind: 'prune', count: edits.length, oldTokens, newTokens: Math.max(0, oldTokens - saved) }],
  };
}
