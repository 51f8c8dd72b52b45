// Pins that were asked for before the conversation began. They are handed to the library with its first request.
import type { Sql } from './database.ts';
import type { SessionState } from './rows.ts';

type Place = Pick<SessionState, 'key' | 'generation'>;

export function addWantedPin(sql: Sql, { key, generation }: Place, text: string): void {
  sql.run('INSERT INTO wanted_pin (session, generation, text) VALUES (?, ?, ?) ON CONFLICT DO NOTHING', key, generation, text);
}

export function wantedPins(sql: Sql, { key, generation }: Place): readonly string[] {
  return sql
    .all<{ text: string }>('SELECT text FROM wanted_pin WHERE session = ? AND generation = ? ORDER BY rowid', key, generation)
    .map(({ text }) => text);
}

export function removeWantedPin(sql: Sql, { key, generation }: Place, text: string): void {
  sql.run('DELETE FROM wanted_pin WHERE session = ? AND generation = ? AND text = ?', key, generation, text);
}

export function clearWantedPins(sql: Sql, { key, generation }: Place): void {
  sql.run('DELETE FROM wanted_pin WHERE session = ? AND generation = ?', key, generation);
}
