// The worker: takes sessions that have something to do, one process a session, one item at a time, in order.
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Bell } from './bell.ts';
import type { Channel } from './channel.ts';
import type { Chat } from './chat.ts';
import { handleItem } from './handle-item.ts';
import type { Sql } from './store/database.ts';
import { addItem, beginNext, openSessions } from './store/inbox.ts';
import { claimLease, holdLease, LEASE_MS, type Lease, LeaseLost, processName, releaseLease } from './store/lease.ts';
import type { NewItem } from './store/rows.ts';
import { write } from './turn/turn-run.ts';

export interface RuntimeOptions {
  readonly chat: Chat;
  readonly channel: Channel;
  /** Sessions at work at the same time. */
  readonly parallel: number;
  readonly signal: AbortSignal;
  /** How often other processes' work is looked at, milliseconds. */
  readonly lookEveryMs?: number;
}

const LOOK_EVERY_MS = 1_000;
const RENEW_EVERY_MS = LEASE_MS / 4;

export interface Runtime {
  readonly owner: string;
  /** Stores what came in; it is made within the transaction. Resolves when it is on the disk. */
  accept(itemOf: (sql: Sql) => NewItem): Promise<void>;
  /** Looks for work now. */
  wake(): void;
  /** Works until the signal aborts and every item at hand is put down. */
  run(): Promise<void>;
  /** Resolves when nothing is left to do here, or the signal aborts. */
  idle(): Promise<void>;
}

export function createRuntime(options: RuntimeOptions): Runtime {
  const { chat, channel, parallel, signal, lookEveryMs = LOOK_EVERY_MS } = options;
  const owner = processName(randomUUID().slice(0, 8));
  const active = new Map<string, Promise<void>>();
  const bell = new Bell();
  const ring = () => bell.ring();
  signal.addEventListener('abort', ring);

  async function look(): Promise<void> {
    const sessions = await chat.db.read((sql) => openSessions(sql, channel.source));
    for (const session of sessions) {
      if (active.size >= parallel || signal.aborted) return;
      if (active.has(session)) continue;
      const lease = await chat.db.write((sql) => claimLease(sql, { session, owner, nowMs: chat.now() }));
      if (lease === undefined) continue;
      const work = drain({ chat, channel, lease, signal }).finally(() => {
        active.delete(session);
        ring();
      });
      active.set(session, work);
    }
  }

  return {
    owner,
    accept: async (itemOf) => {
      await chat.db.writeDurably((sql) => addItem(sql, itemOf(sql), chat.now()));
      ring();
    },
    wake: ring,
    async run() {
      while (!signal.aborted) {
        await look().catch((error: unknown) => chat.log.write('error', 'The chat could not look for work.', { error: String(error) }));
        await bell.wait(lookEveryMs);
      }
      await Promise.allSettled(active.values());
    },
    async idle() {
      for (;;) {
        const open = await chat.db.read((sql) => openSessions(sql, channel.source));
        if (open.length === 0 || signal.aborted) return;
        const running = [...active.values()];
        await (running.length > 0 ? Promise.race(running) : wait(lookEveryMs, undefined, { signal }).catch(() => {}));
      }
    },
  };
}

interface Draining {
  readonly chat: Chat;
  readonly channel: Channel;
  readonly lease: Lease;
  readonly signal: AbortSignal;
}

/** Everything that waits in one session. Never rejects: what cannot be done now is tried again by the next look. */
async function drain({ chat, channel, lease, signal }: Draining): Promise<void> {
  const lost = new AbortController();
  const own = AbortSignal.any([signal, lost.signal]);
  const beat = setInterval(() => {
    chat.db
      .write((sql) => holdLease(sql, lease, chat.now()))
      .catch((error: unknown) => {
        if (error instanceof LeaseLost) lost.abort(error);
      });
  }, RENEW_EVERY_MS);
  try {
    while (!own.aborted) {
      const item = await write({ chat, lease }, (sql) => beginNext(sql, lease.session, channel.source));
      if (item === undefined) break;
      await handleItem({ chat, channel, work: { item, lease, signal: own } });
    }
  } catch (error) {
    if (!own.aborted) chat.log.write('error', 'A session could not be answered now.', { session: lease.session, error: String(error) });
    // A fault that stays must not keep a processor busy.
    if (!own.aborted) await wait(LOOK_EVERY_MS, undefined, { signal: own }).catch(() => {});
  } finally {
    clearInterval(beat);
    await chat.db
      .write((sql) => releaseLease(sql, lease))
      .catch((error: unknown) => {
        chat.log.write('warn', 'A session could not be released: its lease runs out.', { session: lease.session, error: String(error) });
      });
  }
}
