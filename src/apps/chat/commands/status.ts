// `/status`: how full the conversation is, what fills it, and what compaction would do, in plain words.
import { type GuardStatus, UllageError } from '../../../index.ts';
import { formatCount } from '../../cli/terminal/numbers.ts';
import type { Reading } from '../store/rows.ts';
import { share, timeText, tokens } from '../text/numbers.ts';
import { floorParts, reasonText } from '../text/outcome-text.ts';
import type { Answered } from '../turn/run-turn.ts';
import type { CommandRun } from './run-command.ts';
import { weighMessages } from './weigh-messages.ts';

export async function status(run: CommandRun): Promise<Answered> {
  const { session, state, chat } = run;
  const { reading } = state;
  if (reading === undefined) return { text: 'This conversation has not begun yet: nothing is in it.' };
  const guard = await session.guard();
  const newest = (await session.outcomes({ limit: 20 })).find((outcome) => outcome.status === 'compacted');
  const size = sizeSince(reading, newest);
  return {
    text: [
      sizeText(size, reading),
      `Compaction is due at ${tokens(reading.threshold)} and aims for ${tokens(reading.target)}.`,
      ...(await fillText(run, size.tokens)),
      `Not to be shortened: up to ${tokens(reading.floorTokens)} (${floorParts(reading.floorParts)}).`,
      guardText(guard, reading, chat.now()),
      ...(newest === undefined
        ? []
        : [
            `Last compaction: ${timeText(newest.atMs, chat.now())}, ${tokens(newest.oldRequestTokens)} → ${tokens(newest.newRequestTokens)}.`,
          ]),
      ...(guard.lastFault === undefined ? [] : [`⚠️ Last fault: ${chat.secrets.redact(guard.lastFault)}`]),
    ].join('\n'),
  };
}

interface Size {
  readonly tokens: number;
  readonly isMeasured: boolean;
}

/** A compaction by hand is newer than the last request that went out. */
function sizeSince(reading: Reading, newest: { readonly atMs: number; readonly newRequestTokens: number } | undefined): Size {
  return newest !== undefined && newest.atMs > reading.atMs ? { tokens: newest.newRequestTokens, isMeasured: false } : reading;
}

function sizeText({ tokens: size, isMeasured }: Size, { window, usable }: Reading): string {
  const how = isMeasured ? 'measured by the provider' : 'estimated';
  return `Context: ${tokens(size)} (${how}), ${share(size, window)} of the window of ${tokens(window)}; ${formatCount(Math.max(0, usable - size))} are free.`;
}

/** By characters: tokens are known for the whole alone. */
async function fillText({ session, chat }: CommandRun, sizeTokens: number): Promise<readonly string[]> {
  try {
    const { system, tools } = chat.door;
    const fixed = system.length + Object.values(tools).reduce((sum, tool) => sum + JSON.stringify(tool).length, 0);
    const weights = weighMessages(JSON.parse(await session.export({ compacted: true })), fixed);
    const total = weights.reduce((sum, { chars }) => sum + chars, 0);
    const parts = weights.map(({ kind, chars }) => `${kind} ${share(chars, total)}`);
    return sizeTokens === 0 ? [] : [`What fills it, roughly: ${parts.join(', ')}.`];
  } catch (error) {
    if (!UllageError.is(error)) throw error;
    return [];
  }
}

function guardText(guard: GuardStatus, { target, floorTokens }: Reading, nowMs: number): string {
  const when = [
    ...(guard.retryAtMs === undefined ? [] : [`after ${timeText(guard.retryAtMs, nowMs)}`]),
    ...(guard.retryTokens === undefined || !Number.isFinite(guard.retryTokens) ? [] : [`once it has ${tokens(guard.retryTokens)}`]),
  ].join(', or ');
  switch (guard.decision) {
    case 'allow':
      return guard.state === 'pending'
        ? 'Automatic compaction: the next answer measures what the last one brought.'
        : 'Automatic compaction: ready; nothing stands in its way.';
    case 'probe':
      return `Automatic compaction: ${guard.strikes} in a row did not help; the next one is a trial.`;
    case 'deferred':
      return `Automatic compaction: put off, because ${reasonText(guard.reason)}${when === '' ? '' : `; again ${when}`}.`;
    case 'blocked':
      return guard.reason === 'floor_above_target'
        ? `Automatic compaction: off, because it would gain nothing. ${tokens(floorTokens)} of every request cannot be shortened (system prompt, tools and the newest messages), and it aims for ${tokens(target)}. Shorten the system prompt or the tools, or raise threshold and target.`
        : `Automatic compaction: rests, because ${reasonText(guard.reason)}${when === '' ? '' : `; it may run again ${when}`}. /compact works all the same.`;
  }
}
