// What a turn is run with, and how its steps are stored: by the holder of the session's lease, or not at all.
import type { ModelMessage } from 'ai';
import type { FetchFile } from '../channel.ts';
import type { Chat } from '../chat.ts';
import { textOf } from '../model/message-parts.ts';
import type { Sql } from '../store/database.ts';
import { holdLease, type Lease } from '../store/lease.ts';
import type { Item } from '../store/rows.ts';
import { addStep, type Turn } from '../store/turns.ts';

/** Someone who waits for the answer. */
export interface Progress {
  /** All words of the answer so far. */
  text(soFar: string): void;
  /** A tool begins. */
  tool(name: string): void;
}

export interface TurnRun {
  readonly chat: Chat;
  readonly lease: Lease;
  readonly item: Item;
  readonly progress: Progress;
  readonly fetchFile?: FetchFile;
  readonly signal: AbortSignal;
  /** Rejects when the signal aborts. */
  readonly wait: (ms: number) => Promise<void>;
}

/** Writes as the holder of the lease, or not at all. */
export function write<T>({ chat, lease }: Pick<TurnRun, 'chat' | 'lease'>, work: (sql: Sql) => T): Promise<T> {
  return chat.db.write((sql) => {
    holdLease(sql, lease, chat.now());
    return work(sql);
  });
}

/** The same, on the disk before it resolves: for what is noted before it is done. */
export function writeDurably<T>({ chat, lease }: Pick<TurnRun, 'chat' | 'lease'>, work: (sql: Sql) => T): Promise<T> {
  return chat.db.writeDurably((sql) => {
    holdLease(sql, lease, chat.now());
    return work(sql);
  });
}

/** A message of a turn, and what is stored together with it. */
export interface Appended {
  readonly message: ModelMessage;
  readonly also?: (sql: Sql) => void;
}

/** The turn with one more message, stored. */
export async function append(run: TurnRun, turn: Turn, { message, also }: Appended): Promise<Turn> {
  await write(run, (sql) => {
    addStep(sql, { itemId: turn.itemId, epoch: turn.state.epoch, position: turn.steps.length }, message);
    also?.(sql);
  });
  return { ...turn, steps: [...turn.steps, message] };
}

/** What the model said in all steps of the turn. */
export function answerOf(steps: readonly ModelMessage[]): string {
  return steps
    .filter(({ role }) => role === 'assistant')
    .map(textOf)
    .filter((text) => text.trim() !== '')
    .join('\n\n');
}
