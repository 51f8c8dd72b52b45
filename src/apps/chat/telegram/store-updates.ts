// Updates become items of the inbox, all of a batch or none, before they are acknowledged.
import type { Update } from 'grammy/types';
import type { Chat } from '../chat.ts';
import type { Sql } from '../store/database.ts';
import { addItem, itemByMessage, rewriteWaiting, waitingAlbum } from '../store/inbox.ts';
import type { NewItem } from '../store/rows.ts';
import { type Access, type Bot, type Intake, intakeOf } from './intake.ts';

export interface Storing {
  readonly chat: Chat;
  readonly bot: Bot;
  readonly access: Access;
  readonly wake: () => void;
}

/** `also` is written together with them. */
export async function storeUpdates(
  { chat, bot, access, wake }: Storing,
  updates: readonly Update[],
  also?: (sql: Sql) => void,
): Promise<void> {
  const intakes = updates.map((update) => intakeOf(update, bot, access));
  await chat.db.writeDurably((sql) => {
    for (const intake of intakes) storeOne(sql, intake, chat.now());
    also?.(sql);
  });
  wake();
}

function storeOne(sql: Sql, intake: Intake, nowMs: number): void {
  switch (intake.kind) {
    case 'ignore':
      return;
    case 'item':
      storeItem(sql, intake.item, nowMs);
      return;
    case 'refuse': {
      const { source } = intake.item;
      const isFirst = sql.run('INSERT INTO refused (source, peer) VALUES (?, ?) ON CONFLICT DO NOTHING', source, intake.peer) === 1;
      if (isFirst) addItem(sql, intake.item, nowMs);
      return;
    }
    case 'edit':
      storeEdit(sql, intake, nowMs);
  }
}

/** Of an album whose first is not begun yet, the others join it: one question, one answer. */
function storeItem(sql: Sql, item: NewItem, nowMs: number): void {
  const first = waitingAlbum(sql, item);
  if (!addItem(sql, item, nowMs) || first?.kind !== 'text' || item.kind !== 'text') return;
  const text = [first.text, item.text].filter((words) => words !== '').join('\n');
  rewriteWaiting(sql, first, { ...item, text, files: [...(first.files ?? []), ...(item.files ?? [])] });
}

function storeEdit(sql: Sql, { messageId, item, late }: Extract<Intake, { kind: 'edit' }>, nowMs: number): void {
  const original = itemByMessage(sql, item.session, messageId);
  // The platform also calls it an edit when other things than the words change.
  if (original === undefined || (original.kind === item.kind && original.text === item.text)) return;
  const isWaiting = original.state === 'waiting';
  // What was not read before may be read now.
  const isAnswerable = original.kind === 'note' && item.kind !== 'note';
  const isNew = addItem(sql, isWaiting || isAnswerable ? item : late, nowMs);
  if (!isNew || !isWaiting) return;
  // The edit of one message of an album says nothing of the others.
  const isAlbum = (original.files?.length ?? 0) > 1;
  rewriteWaiting(sql, original, isAlbum ? { ...item, files: original.files } : item);
}
