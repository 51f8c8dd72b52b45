// `ullage sessions show KEY`.
import type { CompactionOutcome } from '../../../core/plan/outcome.ts';
import { foldHandle } from '../../../core/transcript/entry.ts';
import type { GuardStatus } from '../../../engine/guard-status.ts';
import type { ConversationRow, PinRow, SessionRow } from '../../../ports/store.ts';
import type { CommandContext } from '../command.ts';
import type { SessionsFlags } from '../commands/sessions.ts';
import { plural } from '../shared/plural.ts';
import { type Colors, colorsFor } from '../terminal/colors.ts';
import { formatCount, parseTokens } from '../terminal/numbers.ts';
import { widthOf } from '../terminal/terminal.ts';
import { cutText, toSingleLine, wrapText } from '../terminal/text-width.ts';
import { withSession } from './open-session.ts';
import { formatTime } from './time-text.ts';
import { writeResult } from './write.ts';

interface Shown {
  readonly session: SessionRow;
  readonly conversations: readonly ConversationRow[];
  /** By the default policy: the agent's own may differ. */
  readonly guard: GuardStatus;
  readonly pins: readonly Pick<PinRow, 'pinId' | 'text'>[];
  /** The newest first. */
  readonly outcomes: readonly (CompactionOutcome & { readonly handle?: string })[];
}

const OUTCOMES = 10;

export async function runShow(key: string, flags: SessionsFlags, context: CommandContext): Promise<void> {
  const windowTokens = flags.window === undefined ? undefined : parseTokens('--window', flags.window);
  const shown = await withSession(key, { ...flags, windowTokens }, async ({ row, conversations, session }): Promise<Shown> => {
    const hasConversation = conversations.length > 0;
    const outcomes = await session.outcomes({ limit: OUTCOMES });
    return {
      session: row,
      conversations,
      guard: await session.guard(),
      pins: hasConversation ? (await session.pins()).map(({ id, text }) => ({ pinId: id, text })) : [],
      outcomes: outcomes.map((outcome) => ({ ...outcome, handle: handleOf(outcome) })),
    };
  });
  const { stdout } = context.terminal;
  writeResult(context, flags, {
    document: shown,
    lines: () => render(shown, { width: widthOf(stdout), colors: colorsFor(context.terminal, stdout) }),
  });
}

/** Of a committed fold: `read` opens it. */
function handleOf({ viewId, stages }: CompactionOutcome): string | undefined {
  return viewId !== undefined && stages.some(({ kind }) => kind === 'fold') ? foldHandle(viewId) : undefined;
}

interface TextOptions {
  readonly width: number;
  readonly colors: Colors;
}

function render({ session, conversations, guard, pins, outcomes }: Shown, { width, colors }: TextOptions): string[] {
  const current = session.currentConversationId;
  const lines = [
    colors.bold(toSingleLine(session.key)),
    `since ${formatTime(session.createdAtMs)}, last request ${formatTime(session.lastRequestAtMs)} (UTC)`,
    ...conversations.map((row) => cutText(conversationLine(row, row.conversationId === current), width)),
    `guard: ${guardWords(guard)}`,
  ];
  if (pins.length > 0)
    lines.push(colors.bold('Pins'), ...pins.map(({ pinId, text }) => cutText(`  ${pinId}  ${toSingleLine(text)}`, width)));
  if (outcomes.length > 0) lines.push(colors.bold('Compactions, the newest first'));
  for (const { atMs, message, handle } of outcomes) {
    const opened = handle === undefined ? '' : `; the folded messages: read ${handle}`;
    lines.push(...wrapText(`  ${formatTime(atMs)} ${toSingleLine(message).replace(/\.$/, '')}${opened}`, width, '    '));
  }
  return lines;
}

function conversationLine(row: ConversationRow, isCurrent: boolean): string {
  const messages = plural((row.tip?.position ?? -1) + 1, 'message');
  const state = isCurrent ? ', current' : row.successorId === undefined ? '' : ', closed';
  return `conversation ${row.conversationId.slice(0, 8)} (${row.origin}${state}): ${row.api}, ${toSingleLine(row.lastModel ?? 'model unknown')}, ${messages}`;
}

function guardWords({ state, decision, reason, retryAtMs, retryTokens, strikes }: GuardStatus): string {
  const why = reason === undefined ? '' : ` (${reason})`;
  const until = retryAtMs === undefined ? '' : `, again at ${formatTime(retryAtMs)} UTC`;
  const size = retryTokens === undefined || !Number.isFinite(retryTokens) ? '' : ` or ${formatCount(retryTokens)} tokens`;
  const counted = strikes === 0 ? '' : `, ${plural(strikes, 'strike')}`;
  return `${decision}${why}${until}${size}; ${state}${counted}`;
}
