// Long polling: one process of all that share the store asks at a time. An update is acknowledged by the next question, so it is stored before.
import { setTimeout as wait } from 'node:timers/promises';
import type { Sql } from '../store/database.ts';
import { isGone } from '../store/lease.ts';
import { type BotApi, BotApiFault, isTokenRefused, POLL_SECONDS } from './bot-api.ts';
import { sourceOf } from './intake.ts';
import { type Storing, storeUpdates } from './store-updates.ts';

const CLAIM_MS = (POLL_SECONDS + 15) * 1_000;
const STAND_BY_MS = 1_000;
const CONFLICT_PAUSE_MS = 3_000;
const LONGEST_PAUSE_MS = 30_000;
/** After a week without updates the numbers begin anew anywhere (https://core.telegram.org/bots/api#update); an old offset would hide them. */
const OFFSET_VALID_MS = 6 * 24 * 3_600_000;

export interface Polling extends Storing {
  readonly api: BotApi;
  readonly owner: string;
  readonly signal: AbortSignal;
}

/** Until the signal aborts. Throws when the token is refused. */
export async function poll(polling: Polling): Promise<void> {
  try {
    await pollOn(polling);
  } finally {
    const { chat, bot, owner } = polling;
    const release = 'UPDATE polling SET owner = NULL, expires_at_ms = 0 WHERE source = ? AND owner = ?';
    await chat.db.write((sql) => void sql.run(release, sourceOf(bot), owner));
  }
}

async function pollOn(polling: Polling): Promise<void> {
  const { chat, api, signal } = polling;
  let isWebhookGone = false;
  for (let failures = 0; !signal.aborted; ) {
    try {
      // Nothing can be asked for while one is set.
      if (!isWebhookGone) await api.deleteWebhook(signal);
      isWebhookGone = true;
      await pollOnce(polling);
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof BotApiFault && isTokenRefused(error)) throw error;
      failures++;
      chat.log.write('warn', 'Telegram gave no updates; asking again.', { error: chat.secrets.redact(String(error)), failures });
      await wait(pauseAfter(error, failures), undefined, { signal }).catch(() => {});
    }
  }
}

async function pollOnce(polling: Polling): Promise<void> {
  const { chat, api, bot, owner, signal } = polling;
  const source = sourceOf(bot);
  const offset = await chat.db.write((sql) => claimPolling(sql, { source, owner, nowMs: chat.now() }));
  if (offset === undefined) return void (await wait(STAND_BY_MS, undefined, { signal }));
  const updates = await api.getUpdates(offset, signal);
  if (updates.length === 0) return;
  const next = Math.max(...updates.map(({ update_id: id }) => id)) + 1;
  const also = (sql: Sql) => void sql.run('UPDATE polling SET next_offset = ?, at_ms = ? WHERE source = ?', next, chat.now(), source);
  await storeUpdates(polling, updates, also);
}

interface PollingRow {
  readonly next_offset: number;
  readonly at_ms: number;
  readonly owner: string | null;
  readonly expires_at_ms: number;
}

/** The offset to ask with, or undefined while another process asks. */
function claimPolling(sql: Sql, { source, owner, nowMs }: { source: string; owner: string; nowMs: number }): number | undefined {
  sql.run('INSERT INTO polling (source) VALUES (?) ON CONFLICT DO NOTHING', source);
  const row = sql.get<PollingRow>('SELECT next_offset, at_ms, owner, expires_at_ms FROM polling WHERE source = ?', source)!;
  const isFree = row.owner === null || row.owner === owner || row.expires_at_ms <= nowMs || isGone(row.owner, owner);
  if (!isFree) return undefined;
  sql.run('UPDATE polling SET owner = ?, expires_at_ms = ? WHERE source = ?', owner, nowMs + CLAIM_MS, source);
  return nowMs - row.at_ms < OFFSET_VALID_MS ? row.next_offset : 0;
}

function pauseAfter(error: unknown, failures: number): number {
  if (error instanceof BotApiFault && error.kind === 'rate') return error.retryAfterMs;
  if (error instanceof BotApiFault && error.code === 409) return CONFLICT_PAUSE_MS;
  return Math.min(LONGEST_PAUSE_MS, 500 * 2 ** Math.min(failures, 8));
}
