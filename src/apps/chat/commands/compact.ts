// `/compact [focus]` and `/compact preview`: told as it was.
import type { CompactionOutcome } from '../../../index.ts';
import { tokens } from '../text/numbers.ts';
import { describeOutcome } from '../text/outcome-text.ts';
import type { Answered } from '../turn/run-turn.ts';
import type { CommandRun } from './run-command.ts';

const PREVIEW = /^preview(?:\s+|$)/i;

export async function compact(run: CommandRun): Promise<Answered> {
  const { session, chat, words } = run;
  const isPreview = PREVIEW.test(words);
  const focus = words.replace(PREVIEW, '').trim() || undefined;
  if (isPreview) return { text: previewText(await session.compact({ dryRun: true, focus }), chat.now()) };
  const earlier = run.isResumed ? await done(run) : undefined;
  return { text: describeOutcome(earlier ?? (await session.compact({ focus })), chat.now()) };
}

/** What this very command did before its process died. */
async function done({ session, item }: CommandRun): Promise<CompactionOutcome | undefined> {
  const outcomes = await session.outcomes({ limit: 5 });
  return outcomes.find(({ triggerReason, status, atMs }) => triggerReason === 'manual' && status === 'compacted' && atMs >= item.atMs);
}

function previewText(outcome: CompactionOutcome, nowMs: number): string {
  if (outcome.status !== 'compacted') return `A compaction now would change nothing. ${describeOutcome(outcome, nowMs)}`;
  const lines = outcome.stages.map(
    ({ kind, count, oldTokens, newTokens }) => `– ${STAGES[kind](count)}: ${tokens(oldTokens)} → ${tokens(newTokens)}`,
  );
  const { oldRequestTokens, newRequestTokens, oldMessageCount, newMessageCount } = outcome;
  return [
    `A compaction now would bring ${tokens(oldRequestTokens)} to about ${tokens(newRequestTokens)}, and ${oldMessageCount} messages to ${newMessageCount}:`,
    ...lines,
    'Nothing was changed. /compact does it.',
  ].join('\n');
}

const STAGES: Readonly<Record<CompactionOutcome['stages'][number]['kind'], (count: number) => string>> = {
  prune: (count) => `shorten ${count} old tool results or attachments`,
  fold: (count) => `replace the ${count} oldest messages by a summary`,
  squeeze: (count) => `shorten ${count} of the newest messages`,
};
