// The message that a continuation begins with: all that was, as one framed summary, and the last ask when it still waits for an answer.
import { draftFold } from '../core/plan/fold-plan.ts';
import { deriveScope } from '../core/plan/scope.ts';
import { isFramedSummary } from '../core/summary/frame.ts';
import type { Entry, Message } from '../core/transcript/entry.ts';
import { genuineText } from '../core/transcript/genuine.ts';
import type { Context } from './context.ts';
import { tokenGoal } from './goals.ts';
import { entriesOf, type Head } from './intake.ts';
import { planInput } from './plan-input.ts';
import type { BoundState } from './run.ts';

/** Share of the target that a continuation begins with. */
const CONTINUATION_SHARE = 0.5;

/** JSON text of one user message. */
export function continuationMessage(context: Context, state: BoundState): string {
  const entries = entriesOf(context.codec, state.intake.heads, state.intake.raws);
  const open = openAsk(state.intake.heads);
  // An ask that still waits stands behind the frame: inside it, it would be a record, and said twice.
  const folded = entries.map((entry) => (entry.position === open ? withoutAsk(entry) : entry));
  const summary = summaryOf(context, state, folded);
  return open === undefined ? context.codec.encodeUserMessage(summary) : withAsk(context, entries[open]!.message, summary);
}

/** Position of the newest ask, unless the assistant has answered it and stopped. */
function openAsk(heads: readonly Head[]): number | undefined {
  const newest = heads.findLastIndex((head) => head.isGenuineUser);
  const last = heads.at(-1);
  const isAnswered = last?.role === 'assistant' && last.callIds.length === 0;
  return newest < 0 || isAnswered ? undefined : newest;
}

/** A summary that an earlier continuation began with stays. */
function withoutAsk(entry: Entry): Entry {
  const parts = entry.message.parts.filter((part) => part.kind === 'text' && isFramedSummary(part.text));
  return { ...entry, message: { ...entry.message, parts } };
}

function summaryOf(context: Context, state: BoundState, entries: readonly Entry[]): string {
  const targetTokens = Math.floor(state.budget.target * CONTINUATION_SHARE);
  const goal = { ...tokenGoal(context, state, 'manual'), kind: 'manual' as const, targetTokens };
  const input = planInput(state, { goal, entries, pass: 2 });
  const scope = deriveScope({ entries: input.entries, canOpenHandles: input.canOpenHandles, refusedFolds: [] });
  return draftFold(scope, input, { from: entries.length, edits: [], tokens: 0 }).fold.text;
}

/** Summary and ask are blocks of their own: the next fold tells them apart. What is not text keeps its bytes. */
function withAsk(context: Context, ask: Message, summary: string): string {
  const { codec } = context;
  const results = ask.parts.flatMap((part, index) => (part.kind === 'result' ? [{ kind: 'drop' as const, part: index }] : []));
  const texts = ask.parts.flatMap((part) => (part.kind === 'text' ? [genuineText(part.text)] : [])).filter((text) => text !== '');
  const hasMore = ask.parts.some((part) => part.kind !== 'text' && part.kind !== 'result');
  if (!hasMore) return codec.encodeUserMessage(summary, ...texts);
  return codec.withoutMarkers(codec.editMessage(ask.raw, [{ kind: 'prepend-text', text: summary }, ...results]));
}
