// Turns: the messages between a person's words and the answer, each stored as it happens, and the closed turns as they are sent.
import type { ModelMessage } from 'ai';
import type { Sql } from './database.ts';
import type { Item, Reading, SessionState } from './rows.ts';

interface SessionRow {
  readonly generation: number;
  readonly epoch: number;
  readonly reading: string | null;
}

export function sessionState(sql: Sql, key: string): SessionState {
  const row = sql.get<SessionRow>('SELECT generation, epoch, reading FROM session WHERE key = ?', key);
  const reading = row?.reading ? (JSON.parse(row.reading) as Reading) : undefined;
  return { key, generation: row?.generation ?? 1, epoch: row?.epoch ?? 1, reading };
}

export function noteReading(sql: Sql, key: string, reading: Reading): void {
  sql.run('UPDATE session SET reading = ? WHERE key = ?', JSON.stringify(reading), key);
}

/** Begins an empty conversation; the old one stays where it is. */
export function nextGeneration(sql: Sql, key: string): void {
  sql.run('UPDATE session SET generation = generation + 1, epoch = 1, reading = NULL WHERE key = ?', key);
}

/** A turn that has begun. */
export interface Turn {
  readonly itemId: number;
  readonly state: SessionState;
  readonly steps: readonly ModelMessage[];
  /** It was carried into a continuation: a second one would not help. */
  readonly isContinued: boolean;
}

export function isTurnOpen(sql: Sql, itemId: number): boolean {
  return sql.get('SELECT 1 FROM turn WHERE inbox_id = ?', itemId) !== undefined;
}

/** Opens the turn of an item, or finds it where a process that died has left it. */
export function openTurn(sql: Sql, item: Item, first: ModelMessage): Turn {
  const row = sql.get<{ generation: number; epoch: number }>('SELECT generation, epoch FROM turn WHERE inbox_id = ?', item.id);
  const state = sessionState(sql, item.session);
  if (row === undefined) {
    const { generation, epoch } = state;
    sql.run('INSERT INTO turn (inbox_id, session, generation, epoch) VALUES (?, ?, ?, ?)', item.id, item.session, generation, epoch);
    addStep(sql, { itemId: item.id, epoch, position: 0 }, first);
    return { itemId: item.id, state, steps: [first], isContinued: false };
  }
  const earlier = sql.get('SELECT 1 FROM step WHERE inbox_id = ? AND epoch < ?', item.id, row.epoch);
  return { itemId: item.id, state: { ...state, ...row }, steps: stepsOf(sql, item.id, row.epoch), isContinued: earlier !== undefined };
}

export interface StepPlace {
  readonly itemId: number;
  readonly epoch: number;
  readonly position: number;
}

export function addStep(sql: Sql, { itemId, epoch, position }: StepPlace, message: ModelMessage): void {
  sql.run('INSERT INTO step (inbox_id, epoch, position, message) VALUES (?, ?, ?, ?)', itemId, epoch, position, JSON.stringify(message));
}

/** Puts another message in the place of one. */
export function replaceStep(sql: Sql, { itemId, epoch, position }: StepPlace, message: ModelMessage): void {
  sql.run(
    'UPDATE step SET message = ? WHERE inbox_id = ? AND epoch = ? AND position = ?',
    JSON.stringify(message),
    itemId,
    epoch,
    position,
  );
}

/** The turn goes on in a continuation, from its first message there. */
export function continueTurn(sql: Sql, turn: Turn, first: ModelMessage): Turn {
  const epoch = turn.state.epoch + 1;
  sql.run('UPDATE session SET epoch = ? WHERE key = ?', epoch, turn.state.key);
  sql.run('UPDATE turn SET epoch = ? WHERE inbox_id = ?', epoch, turn.itemId);
  addStep(sql, { itemId: turn.itemId, epoch, position: 0 }, first);
  return { ...turn, state: { ...turn.state, epoch }, steps: [first], isContinued: true };
}

export function closeTurn(sql: Sql, itemId: number, { wire, api }: { readonly wire: string; readonly api: string }): void {
  sql.run('UPDATE turn SET wire = ?, wire_api = ? WHERE inbox_id = ?', wire, api, itemId);
}

/** A closed turn: as it is sent, and as it was said for the day the API changes. */
export interface ClosedTurn {
  readonly itemId: number;
  readonly wire: string;
  readonly api: string;
}

/** Closed turns of the conversation that the session is in, in order: those behind an item. What is closed next is behind them. */
export function closedTurns(sql: Sql, { key, generation, epoch }: SessionState, afterItem: number): readonly ClosedTurn[] {
  return sql.all<ClosedTurn>(
    `SELECT inbox_id AS itemId, wire, wire_api AS api FROM turn
     WHERE session = ? AND generation = ? AND epoch = ? AND inbox_id > ? AND wire IS NOT NULL ORDER BY inbox_id`,
    key,
    generation,
    epoch,
    afterItem,
  );
}

export function stepsOf(sql: Sql, itemId: number, epoch: number): readonly ModelMessage[] {
  const rows = sql.all<{ message: string }>('SELECT message FROM step WHERE inbox_id = ? AND epoch = ? ORDER BY position', itemId, epoch);
  return rows.map(({ message }) => JSON.parse(message) as ModelMessage);
}
