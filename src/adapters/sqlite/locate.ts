// Finding the conversation of a request: the deepest stored entry of its chain, and all a decision needs, in one snapshot.
import { decodeGuard } from '../../core/guard/encode.ts';
import type { Guard } from '../../core/guard/guard.ts';
import type { ViewHead } from '../../core/plan/view.ts';
import type { Anchor, Calibration } from '../../core/size/size.ts';
import type { Located, PinRow, Store } from '../../ports/store.ts';
import type { StoreContext } from './context.ts';
import type { Sql } from './database.ts';
import { conversationById, findConversation, findSessionId, findSuccessor } from './lookup.ts';
import {
  type CalibrationRecord,
  type ConversationRecord,
  calibrationOf,
  conversationOf,
  type PinRecord,
  pinOf,
  type ViewRecord,
  viewHeadOf,
} from './rows.ts';

/** More models than one installation talks to; the newest are what a decision asks for. */
const CALIBRATIONS_READ = 200;
/** Far more commits than a conversation sees; ends the walk should the bases of damaged rows form a ring. */
const VIEWS_READ = 10_000;

type LocateCommands = Pick<Store, 'locate' | 'loadConversation' | 'readGuard' | 'pins' | 'calibrations'>;

export function locateCommands({ database }: StoreContext): LocateCommands {
  return {
    async locate(query) {
      return (await database()).read((sql) => locateIn(sql, query).located);
    },
    async loadConversation({ tenant, conversationId }) {
      return (await database()).read((sql) => {
        const conversation = findConversation(sql, tenant, conversationId);
        return { ...surroundings(sql, tenant, conversation), deepest: conversation?.tip_position ?? undefined, isBranch: false };
      });
    },
    async readGuard({ tenant, guardKey }) {
      return (await database()).read((sql) => readGuard(sql, tenant, guardKey));
    },
    async pins({ tenant, conversationId }) {
      return (await database()).read((sql) => pinsOf(sql, findConversation(sql, tenant, conversationId)?.id));
    },
    async calibrations({ route, model }) {
      const query = 'SELECT * FROM calibrations WHERE route = ? AND model = ?';
      const row = await (await database()).read((sql) => sql.get<CalibrationRecord>(query, route, model));
      return row && calibrationOf(row);
    },
  };
}

export function readGuard(sql: Sql, tenant: string, guardKey: string): Guard {
  const row = sql.get<{ record: string }>('SELECT record FROM guards WHERE tenant = ? AND guard_key = ?', tenant, guardKey);
  return decodeGuard(row?.record);
}

interface EntryPlace {
  readonly id: number;
  readonly conversation: number;
  readonly is_branch: number;
}

/** Where a chain stands, and the rows of that. */
export interface LocatedIn {
  readonly session?: number;
  readonly conversation?: ConversationRecord;
  /** The row of the deepest entry. */
  readonly entry?: number;
  readonly located: Located;
}

/** `guess` is looked at first: the index of the deepest entry, if all behind it is new. */
export function locateIn(sql: Sql, query: { tenant: string; sessionId: string; chain: readonly string[] }, guess = -1): LocatedIn {
  const { tenant, chain } = query;
  const session = findSessionId(sql, tenant, query.sessionId);
  const entryAt = (index: number): EntryPlace | undefined =>
    sql.get<EntryPlace>('SELECT id, conversation, is_branch FROM entries WHERE session = ? AND chain = ?', session, chain[index]);
  const isStored = (index: number) => entryAt(index) !== undefined;
  const canGuess = guess >= 0 && guess < chain.length - 1 && !isStored(guess + 1);
  const guessed = canGuess ? entryAt(guess) : undefined;
  const deepest = session === undefined ? -1 : guessed ? guess : lastWhere(chain.length, isStored);
  const entry = deepest < 0 ? undefined : (guessed ?? entryAt(deepest));
  if (entry === undefined) return { session, located: { ...surroundings(sql, tenant, undefined), isBranch: false } };
  const isBranch = entry.is_branch === 1;
  const conversation = goingOn(sql, tenant, conversationById(sql, entry.conversation));
  const branchFrom = isBranch ? lastWhere(deepest, (index) => entryAt(index)?.is_branch === 0) : -1;
  const place = { deepest, isBranch, branchFrom: branchFrom < 0 ? undefined : branchFrom };
  return { session, conversation, entry: entry.id, located: { ...surroundings(sql, tenant, conversation), ...place } };
}

/**
 * The last index below `length` that holds, −1 if none does. What holds at an index holds at all before it: an entry is stored only after
 * the one it follows. Doubling steps back from the end come first, because a request is mostly old.
 */
function lastWhere(length: number, holds: (index: number) => boolean): number {
  let high = length;
  let low = length - 1;
  for (let step = 1; low >= 0 && !holds(low); step *= 2) {
    high = low;
    low -= step;
  }
  low = Math.max(low, -1);
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}

function goingOn(sql: Sql, tenant: string, conversation: ConversationRecord): ConversationRecord {
  let current = conversation;
  for (let next = findSuccessor(sql, tenant, current); next !== undefined; next = findSuccessor(sql, tenant, current)) current = next;
  return current;
}

function surroundings(sql: Sql, tenant: string, conversation: ConversationRecord | undefined): Omit<Located, 'isBranch'> {
  const guard = readGuard(sql, tenant, conversation?.guard_key ?? '');
  return {
    conversation: conversation && conversationOf(conversation),
    guard,
    views: viewsFrom(sql, tenant, guard.view),
    anchors: anchorsOf(sql, conversation?.id),
    pins: pinsOf(sql, conversation?.id),
    calibrations: newestCalibrations(sql),
  };
}

const VIEW_CHAIN = `
WITH RECURSIVE line (depth, view_id) AS (
  SELECT 0, ?
  UNION ALL
  SELECT line.depth + 1, v.base_view_id FROM line JOIN views v ON v.tenant = ? AND v.view_id = line.view_id
  WHERE v.base_view_id IS NOT NULL AND line.depth < ${VIEWS_READ}
)
SELECT v.view_id, v.base_view_id, v.kind, v.cover_position, v.cover_chain, v.watermark_position, v.watermark_chain, v.at_ms, v.refused_fold
FROM line JOIN views v ON v.tenant = ? AND v.view_id = line.view_id
WHERE EXISTS (SELECT 1 FROM sessions s WHERE s.id = v.session)
ORDER BY line.depth`;

function viewsFrom(sql: Sql, tenant: string, viewId: string | undefined): ViewHead[] {
  return viewId === undefined ? [] : sql.all<ViewRecord>(VIEW_CHAIN, viewId, tenant, tenant).map(viewHeadOf);
}

function anchorsOf(sql: Sql, conversation: number | undefined): Anchor[] {
  if (conversation === undefined) return [];
  const rows = sql.all<{ id: number; anchor: string }>('SELECT id, anchor FROM anchors WHERE conversation = ?', conversation);
  return rows.sort((a, b) => b.id - a.id).map(({ anchor }) => JSON.parse(anchor) as Anchor);
}

export function pinsOf(sql: Sql, conversation: number | undefined): PinRow[] {
  if (conversation === undefined) return [];
  return sql
    .all<PinRecord>('SELECT pin_id, text, created_at_ms, placed_at FROM pins WHERE conversation = ? ORDER BY id', conversation)
    .map(pinOf);
}

/** A limit that is bound would have the statement compiled anew each time. */
const NEWEST_CALIBRATIONS = `SELECT * FROM calibrations ORDER BY id DESC LIMIT ${CALIBRATIONS_READ}`;

function newestCalibrations(sql: Sql): Calibration[] {
  return sql.all<CalibrationRecord>(NEWEST_CALIBRATIONS).map(calibrationOf);
}
