// One item from the inbox to its answer: the words are recorded once, then brought to the person.
import { setTimeout as wait } from 'node:timers/promises';
import type { Channel, Live, Work } from './channel.ts';
import type { Chat } from './chat.ts';
import { runCommand } from './commands/run-command.ts';
import { orAborted } from './or-aborted.ts';
import { setState } from './store/inbox.ts';
import { LeaseLost } from './store/lease.ts';
import { noticesOf, recordParts } from './store/outbox.ts';
import { type Answered, runTurn, StoppedByUser } from './turn/run-turn.ts';
import { write } from './turn/turn-run.ts';

export interface Handling {
  readonly chat: Chat;
  readonly channel: Channel;
  readonly work: Omit<Work, 'stop'>;
}

/** Faults of ours that an item meets before it is closed with an apology. */
const TRIES = 3;
const PAUSE_MS = 1_000;

export async function handleItem(handling: Handling): Promise<void> {
  const { chat, channel, work } = handling;
  if (work.item.state !== 'answered') await answer(handling);
  await channel.deliver(work);
  await write({ chat, lease: work.lease }, (sql) => setState(sql, work.item.id, 'done'));
}

async function answer(handling: Handling): Promise<void> {
  const { chat, channel, work } = handling;
  const stopped = new AbortController();
  const live = channel.begin({ ...work, stop: () => stopped.abort(new StoppedByUser()) });
  try {
    await record(handling, await answerOrApology(handling, { live, stopped: stopped.signal }));
  } finally {
    await live.end();
  }
  chat.log.write('debug', 'Answered.', { session: work.item.session });
}

interface Waiting {
  readonly live: Live;
  /** Aborts when the person stops the turn. */
  readonly stopped: AbortSignal;
}

async function answerOrApology(handling: Handling, waiting: Waiting): Promise<Answered> {
  const { chat, work } = handling;
  for (let attempt = 1; ; attempt++) {
    try {
      return await answerTo(handling, { ...waiting, isResumed: attempt > 1 || work.item.state === 'running' });
    } catch (error) {
      work.signal.throwIfAborted();
      if (error instanceof LeaseLost) throw error;
      const details = { session: work.item.session, error: chat.secrets.redact(String(error)) };
      chat.log.write('error', 'An item could not be answered.', { ...details, attempt });
      if (attempt >= TRIES)
        return { text: '⚠️ Something went wrong here, and the operator can read what in the log. Your message is kept.' };
      await wait(PAUSE_MS * attempt, undefined, { signal: work.signal });
    }
  }
}

async function answerTo(
  { chat, channel, work }: Handling,
  { live, stopped, isResumed }: Waiting & { readonly isResumed: boolean },
): Promise<Answered> {
  const { item, lease, signal } = work;
  const either = AbortSignal.any([signal, stopped]);
  switch (item.kind) {
    case 'note':
      return { text: item.text };
    case 'command':
      return orAborted(runCommand(chat, item, { isResumed }), either).catch((error: unknown) => {
        if (error instanceof StoppedByUser) return { text: NOT_WAITED_FOR };
        throw error;
      });
    case 'text': {
      const pause = async (ms: number) => {
        await wait(ms, undefined, { signal: either });
      };
      const progress = { ...live, text: (soFar: string) => live.text(chat.secrets.redact(soFar)) };
      return runTurn({ chat, lease, item, signal: either, progress, wait: pause, fetchFile: channel.fetchFile });
    }
  }
}

/** A compaction that is under way cannot be called back, only waited for or not. */
const NOT_WAITED_FOR = '(Stopped waiting. What had begun may still be done: /status shows it, /undo takes a compaction back.)';

/** The answer, what it changes, and that it is given: all or nothing. */
async function record({ chat, channel, work }: Handling, { text, commit }: Answered): Promise<void> {
  const { item, lease } = work;
  await write({ chat, lease }, (sql) => {
    commit?.(sql);
    const parts = [text, ...noticesOf(sql, item.id)].flatMap((words) => channel.split(chat.secrets.redact(words)));
    recordParts(sql, item.id, parts);
    setState(sql, item.id, 'answered');
  });
}
