// The store: coarse atomic commands, no transaction callback. Every query carries a tenant; what belongs to another tenant is not found.
// Failures throw UllageError store_unavailable, store_newer, store_corrupt, operation_conflict or not_stored; a write into a session or
// conversation that the tenant does not have throws session_not_found; a query for one answers as if it were empty.
import type { Guard } from '../core/guard/guard.ts';
import type { CompactionOutcome } from '../core/plan/outcome.ts';
import type { View, ViewHead } from '../core/plan/view.ts';
import type { Anchor, Calibration } from '../core/size/size.ts';
import type { Api, Role } from '../core/transcript/entry.ts';

export interface SessionRow {
  readonly sessionId: string;
  readonly tenant: string;
  readonly key: string;
  readonly createdAtMs: number;
  readonly lastRequestAtMs: number;
  /** The conversation the session goes on with by default (compact, guard, undo … without a request). */
  readonly currentConversationId?: string;
}

export interface ConversationRow {
  readonly conversationId: string;
  readonly sessionId: string;
  readonly api: Api;
  /** Key of its guard record: its own id, or that of the conversation it was rotated or continued from. */
  readonly guardKey: string;
  readonly parentId?: string;
  /** How it came to be. */
  readonly origin: 'first' | 'fork' | 'rotation' | 'continuation';
  /** Chain hash and position of its newest entry; undefined before the first. */
  readonly tip?: { readonly chain: string; readonly position: number };
  /** View that the request ending at the tip was last rendered under ('' = none): the stamp of the answer that follows. */
  readonly tipViewId: string;
  readonly createdAtMs: number;
  /** Set when it was closed by a rotation or a continuation; requests for it go on there. */
  readonly successorId?: string;
  /** Model of its newest request. */
  readonly lastModel?: string;
  /** Window, threshold and similar of its newest request as JSON, for guard() and compact() without a request. */
  readonly lastBudget?: string;
}

/** An entry to append. */
export interface NewEntry {
  readonly position: number;
  readonly chain: string;
  readonly fingerprint: string;
  readonly role: Role;
  /** Exact JSON text; not kept with storage 'none'. A lone surrogate or a NUL character (never JSON) is refused: transcript_invalid. */
  readonly raw: string;
  readonly tokens: number;
  /** Stamp of an assistant's entry; undefined = unknown. */
  readonly viewId?: string;
}

export interface StoredEntry extends Omit<NewEntry, 'raw'> {
  /** undefined with storage 'none'. */
  readonly raw?: string;
  readonly atMs: number;
}

export interface PinRow {
  readonly pinId: string;
  /** A lone surrogate or a NUL character is refused: option_invalid. */
  readonly text: string;
  readonly createdAtMs: number;
  /** The entry (chain hash) to whose message it was added; undefined = not placed yet. */
  readonly placedAt?: string;
}

/** What prepare needs, read in one snapshot. */
export interface Located {
  /** Index into the asked chain of the deepest stored entry; undefined = none is stored. */
  readonly deepest?: number;
  /** The conversation that owns that entry, successors followed. */
  readonly conversation?: ConversationRow;
  /** True when that entry lies on a branch that left its conversation and is not a conversation of its own yet. */
  readonly isBranch: boolean;
  /** Of a branch: index into the asked chain of the newest entry before it; undefined = the branch begins the chain, or it is none. */
  readonly branchFrom?: number;
  readonly guard: Guard;
  /** Views from `guard.view` back along baseViewId, newest first, without bodies. */
  readonly views: readonly ViewHead[];
  /** The last recorded first, at most four per model. */
  readonly anchors: readonly Anchor[];
  readonly pins: readonly PinRow[];
  readonly calibrations: readonly Calibration[];
}

export interface SearchHit {
  readonly chain: string;
  readonly position: number;
  readonly conversationId: string;
  readonly role: Role;
  readonly atMs: number;
  /** A short piece of text around the first match. */
  readonly excerpt: string;
}

export interface SessionSummary extends SessionRow {
  readonly conversations: number;
  readonly entries: number;
  readonly folds: number;
  readonly sizeBytes: number;
}

/**
 * Every write: same id and same body again is success without effect, another body an operation_conflict. Ids belong to a tenant, are
 * remembered for at least a day, and only when the write took effect. The body is all but `atMs`; of an entry it is the chain hash.
 */
interface Operation {
  readonly operationId: string;
  readonly atMs: number;
}

export interface AppendEntries extends Operation {
  readonly tenant: string;
  readonly sessionId: string;
  /**
   * extend: the entries follow the conversation's tip, which moves; refused (tip-moved) when the tip is no longer `expectedTip`, or the
   *   conversation was closed by one of this session.
   * create: a new conversation (first, fork, rotation, continuation) owns the entries and gets the guard copy, if any, and its parent's
   *   pins and (fork, rotation) anchors. A pin that was placed on an entry outside its chain starts unplaced. Refused (tip-moved) when its
   *   entries or `adopt` became another conversation's meanwhile, when `closes` was closed already, or for a rotation when the tip of
   *   `closes` is no longer `from`.
   * branch: entries of a request that left the chain of `conversationId`; they belong to no conversation yet.
   */
  readonly target:
    | { readonly kind: 'extend'; readonly conversationId: string; readonly expectedTip?: string }
    | {
        readonly kind: 'create';
        readonly conversation: Omit<ConversationRow, 'tip' | 'tipViewId' | 'createdAtMs'>;
        /** Chain hash it continues from; undefined = from the start. */
        readonly from?: string;
        /** For a fork: the record it starts with under its own id (version is set by the store). */
        readonly guard?: Guard;
        /**
         * Branch entries between `from`'s owner and the new entries that become its own (chain hashes). Branch entries that lead to the
         * first new entry (or to `from`) become its own also when they are not listed.
         */
        readonly adopt?: readonly string[];
        /** For rotation and continuation: the conversation that is closed in the same step. */
        readonly closes?: string;
      }
    | {
        readonly kind: 'branch';
        readonly conversationId: string;
        /** Chain hash of the stored entry that the first one follows; needed unless that is position 0 or already stored. */
        readonly from?: string;
      };
  readonly entries: readonly NewEntry[];
}

/** A request as it comes: its chain, and what of it may be new. */
export interface FollowRequest {
  readonly tenant: string;
  readonly sessionId: string;
  readonly api: Api;
  readonly atMs: number;
  readonly chain: readonly string[];
  /**
   * The last entries of the chain. An assistant's directly behind the tip answer the request that ends there: they are stored with the
   * conversation's `tipViewId`, whatever stamp they bring.
   */
  readonly entries: readonly NewEntry[];
}

/** Where a request stood, and what was stored of it. */
export interface Followed extends Located {
  /** Position of the first entry that was appended; undefined = nothing was written. */
  readonly appendedFrom?: number;
}

export interface CommitCompaction extends Operation {
  readonly tenant: string;
  readonly sessionId: string;
  readonly conversationId: string;
  readonly guardKey: string;
  /** The guard must still have this version; else nothing is written. */
  readonly expectedVersion: number;
  /** The new record; the store writes it with version expectedVersion + 1. */
  readonly guard: Guard;
  readonly view: View;
  readonly outcome: CompactionOutcome | undefined;
}

export interface RecordObservation extends Operation {
  readonly tenant: string;
  readonly sessionId: string;
  readonly conversationId: string;
  /** Stored, and all but the newest four of its model in the conversation removed. */
  readonly anchor?: Anchor;
  readonly calibration?: Calibration;
}

/** Where everything is kept. `storeContract` of `ullage/testkit` tells whether an own one keeps its word. */
export interface Store {
  readonly storage: 'full' | 'none';
  /** Opens and migrates. Called once, before anything else; safe to call again. */
  open(): Promise<void>;
  close(): Promise<void>;

  /** Opens or creates the session of this key. `sessionId` is used only when it is created. NUL or a lone surrogate: option_invalid. */
  ensureSession(command: { tenant: string; key: string; sessionId: string; atMs: number }): Promise<SessionRow>;
  findSession(query: { tenant: string; key: string }): Promise<SessionRow | undefined>;
  /** The newest request first. */
  listSessions(query: { tenant: string; limit?: number }): Promise<readonly SessionSummary[]>;
  /** O(log n) look-ups in `chain`, then one snapshot of all a decision needs. */
  locate(query: { tenant: string; sessionId: string; chain: readonly string[] }): Promise<Located>;
  conversation(query: { tenant: string; conversationId: string }): Promise<ConversationRow | undefined>;
  /** In order of creation. */
  conversations(query: { tenant: string; sessionId: string }): Promise<readonly ConversationRow[]>;
  /** As {@link Located}, for a conversation as it stands: `deepest` is the position of its tip, successors are not followed. */
  loadConversation(query: { tenant: string; conversationId: string }): Promise<Located>;

  /**
   * Locates, and in the same transaction appends where that is all there is to decide: the chain goes on from the tip of a conversation of
   * this API, and `entries` reach back to it. Answers what stood before. Anything else, and more than 1 MB of new entries, is left to
   * `appendEntries`. Needs no operation id: the same command again finds its entries stored. What is appended is what the session goes on
   * with (`currentConversationId`), and the time of the request is noted, to a minute.
   */
  followRequest(command: FollowRequest): Promise<Followed>;
  /**
   * Entries already stored are left alone (same chain hash = same entry). Transactions of at most 1 MB of new entries each. What is appended
   * is a request of its session at `atMs`.
   */
  appendEntries(command: AppendEntries): Promise<{ readonly status: 'appended' | 'tip-moved' }>;
  /** Notes what the newest request was; writes only what changed. */
  touchConversation(command: {
    tenant: string;
    conversationId: string;
    atMs: number;
    tipViewId?: string;
    lastModel?: string;
    lastBudget?: string;
    isCurrent: boolean;
  }): Promise<void>;
  /** The chain that ends at `tip`, oldest first, optionally only positions from..to (inclusive). */
  readEntries(query: { tenant: string; sessionId: string; tip: string; from?: number; to?: number }): Promise<readonly StoredEntry[]>;
  /** One entry by the beginning of its chain hash (as in a handle). */
  findEntry(query: {
    tenant: string;
    sessionId?: string;
    chainPrefix: string;
  }): Promise<(StoredEntry & { readonly conversationId: string; readonly api: Api }) | undefined>;

  readGuard(query: { tenant: string; guardKey: string }): Promise<Guard>;
  /** Compare-and-swap; false = the version moved and nothing was written. The row gets version expectedVersion + 1. */
  swapGuard(command: { tenant: string; guardKey: string; expectedVersion: number; guard: Guard }): Promise<boolean>;

  view(query: { tenant: string; viewId: string }): Promise<View | undefined>;
  /** View, guard and outcome in one transaction, nothing else; false = the guard moved and nothing was written. */
  commitCompaction(command: CommitCompaction): Promise<boolean>;
  recordOutcome(command: Operation & { tenant: string; outcome: CompactionOutcome }): Promise<void>;
  /** The last recorded first. */
  outcomes(query: { tenant: string; sessionId: string; limit: number }): Promise<readonly CompactionOutcome[]>;

  recordObservation(command: RecordObservation): Promise<void>;
  /** What all tenants learnt about one model behind one route. Its window is only ever lowered, whatever is recorded. */
  calibrations(query: { route: string; model: string }): Promise<Calibration | undefined>;

  addPin(command: Operation & { tenant: string; conversationId: string; pin: PinRow }): Promise<void>;
  placePin(command: { tenant: string; conversationId: string; pinId: string; placedAt: string }): Promise<void>;
  removePin(command: Operation & { tenant: string; conversationId: string; pinId: string }): Promise<boolean>;
  /** Pins of a conversation; a fork, rotation or continuation starts with its parent's. */
  pins(query: { tenant: string; conversationId: string }): Promise<readonly PinRow[]>;

  /** Entries that have no full-text row yet, oldest first. */
  unindexedEntries(query: { tenant: string; sessionId: string; limit: number }): Promise<readonly (StoredEntry & { readonly api: Api })[]>;
  indexEntries(command: {
    tenant: string;
    sessionId: string;
    rows: readonly { readonly chain: string; readonly text: string }[];
  }): Promise<void>;
  /**
   * Any text is a safe query; white space separates terms. Entries that hold every term as words come first, best first, then those that
   * hold every term anywhere (newest first); only when there are none, those that hold some of them. Case and accents do not matter.
   */
  search(query: { tenant: string; sessionId: string; text: string; limit: number }): Promise<readonly SearchHit[]>;

  /** Removes rows, full-text rows and free pages; the session is gone at once, also when this is interrupted. Nothing there: 0 entries. */
  deleteSession(command: { tenant: string; sessionId: string }): Promise<{ readonly entries: number }>;
  /** Deletes sessions whose last request was before `olderThanMs`, a point in time (since the epoch). */
  prune(command: { tenant?: string; olderThanMs: number }): Promise<{ readonly sessions: number; readonly entries: number }>;
  /** Checks the file (integrity, versions); for `doctor`. */
  check(): Promise<readonly { readonly name: string; readonly ok: boolean; readonly detail: string }[]>;
}
