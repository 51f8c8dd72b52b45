// Rows as the port wants them: NULL is undefined, 0 and 1 are booleans.
import type { ViewHead } from '../../core/plan/view.ts';
import type { Calibration } from '../../core/size/size.ts';
import type { Api, Role } from '../../core/transcript/entry.ts';
import type { ConversationRow, PinRow, SessionRow, StoredEntry } from '../../ports/store.ts';

export interface SessionRecord {
  readonly id: number;
  readonly tenant: string;
  readonly session_id: string;
  readonly key: string;
  readonly created_at_ms: number;
  readonly last_request_at_ms: number;
  readonly current_conversation_id: string | null;
}

export interface ConversationRecord {
  readonly id: number;
  readonly session: number;
  readonly session_id: string;
  readonly conversation_id: string;
  readonly api: Api;
  readonly guard_key: string;
  readonly parent_id: string | null;
  readonly origin: ConversationRow['origin'];
  readonly tip_chain: string | null;
  readonly tip_position: number | null;
  readonly tip_view_id: string;
  readonly created_at_ms: number;
  readonly successor_id: string | null;
  readonly last_model: string | null;
  readonly last_budget: string | null;
}

export interface EntryRecord {
  readonly chain: string;
  readonly position: number;
  readonly fingerprint: string;
  readonly role: Role;
  readonly tokens: number;
  readonly view_id: string | null;
  readonly at_ms: number;
  readonly raw: string | null;
}

export interface ViewRecord {
  readonly view_id: string;
  readonly base_view_id: string | null;
  readonly kind: ViewHead['kind'];
  readonly cover_position: number | null;
  readonly cover_chain: string | null;
  readonly watermark_position: number;
  readonly watermark_chain: string;
  readonly at_ms: number;
  readonly refused_fold: string | null;
}

export interface PinRecord {
  readonly pin_id: string;
  readonly text: string;
  readonly created_at_ms: number;
  readonly placed_at: string | null;
}

export interface CalibrationRecord {
  readonly route: string;
  readonly model: string;
  readonly factor: number;
  readonly samples: number;
  readonly window_tokens: number | null;
}

export function sessionOf(row: SessionRecord): SessionRow {
  return {
    sessionId: row.session_id,
    tenant: row.tenant,
    key: row.key,
    createdAtMs: row.created_at_ms,
    lastRequestAtMs: row.last_request_at_ms,
    currentConversationId: row.current_conversation_id ?? undefined,
  };
}

export function conversationOf(row: ConversationRecord): ConversationRow {
  return {
    conversationId: row.conversation_id,
    sessionId: row.session_id,
    api: row.api,
    guardKey: row.guard_key,
    parentId: row.parent_id ?? undefined,
    origin: row.origin,
    tip: placeOf(row.tip_chain, row.tip_position),
    tipViewId: row.tip_view_id,
    createdAtMs: row.created_at_ms,
    successorId: row.successor_id ?? undefined,
    lastModel: row.last_model ?? undefined,
    lastBudget: row.last_budget ?? undefined,
  };
}

export function entryOf(row: EntryRecord, storage: 'full' | 'none'): StoredEntry {
  return {
    position: row.position,
    chain: row.chain,
    fingerprint: row.fingerprint,
    role: row.role,
    raw: storage === 'full' ? (row.raw ?? undefined) : undefined,
    tokens: row.tokens,
    viewId: row.view_id ?? undefined,
    atMs: row.at_ms,
  };
}

export function viewHeadOf(row: ViewRecord): ViewHead {
  return {
    viewId: row.view_id,
    baseViewId: row.base_view_id ?? undefined,
    kind: row.kind,
    cover: placeOf(row.cover_chain, row.cover_position),
    watermark: { position: row.watermark_position, chain: row.watermark_chain },
    atMs: row.at_ms,
    refusedFold: row.refused_fold ?? undefined,
  };
}

export function pinOf(row: PinRecord): PinRow {
  return { pinId: row.pin_id, text: row.text, createdAtMs: row.created_at_ms, placedAt: row.placed_at ?? undefined };
}

export function calibrationOf(row: CalibrationRecord): Calibration {
  return { route: row.route, model: row.model, factor: row.factor, samples: row.samples, windowTokens: row.window_tokens ?? undefined };
}

function placeOf(chain: string | null, position: number | null): { chain: string; position: number } | undefined {
  return chain === null || position === null ? undefined : { chain, position };
}
