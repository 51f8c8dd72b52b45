// What the store contract's tests are made of: entries with real chain hashes, commands with fresh ids, a store with one conversation.
import { createHash } from 'node:crypto';
import { EMPTY_GUARD, type Guard } from '../core/guard/guard.ts';
import type { CompactionOutcome } from '../core/plan/outcome.ts';
import { EMPTY_VIEW_BODY, type View } from '../core/plan/view.ts';
import type { Anchor } from '../core/size/size.ts';
import { chainHash } from '../core/transcript/chain.ts';
import type { AppendEntries, CommitCompaction, ConversationRow, Located, NewEntry, Store } from '../ports/store.ts';

/** The matchers that are used; every common runner has them. `toEqual` must ignore properties that are undefined. */
export type ContractExpect = (actual: unknown) => { toBe(expected: unknown): void; toEqual(expected: unknown): void };

/** An empty store, opened, and a second one over the same data (for a store that lives in one object: the same). */
export interface ContractStore {
  readonly store: Store;
  readonly peer: Store;
  dispose(): Promise<void>;
}

/** The functions of a test runner, and how a store is made. */
export interface StoreContractRunner {
  describe(name: string, body: () => void): unknown;
  it(name: string, body: () => Promise<void>): unknown;
  readonly expect: ContractExpect;
  open(options: { storage: 'full' | 'none' }): Promise<ContractStore>;
  /** True for a store whose data ends when it is closed. Default false. */
  readonly isForgetful?: boolean;
}

/** A group of the contract. `test` gives each of its tests a world of its own. */
export interface ContractGroup {
  test(name: string, body: (world: World) => Promise<void>, options?: { storage: 'full' | 'none' }): void;
  readonly expect: ContractExpect;
  readonly isForgetful: boolean;
}

export const TENANT = 'tenant-a';
export const SESSION = 'session-a';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Entries that follow each other, one for each text; after `previous`, else from the start. */
export function entriesOf(texts: readonly string[], previous?: Pick<NewEntry, 'chain' | 'position'>): NewEntry[] {
  let before = previous;
  return texts.map((text, index) => {
    const fingerprint = sha256(text);
    const position = before === undefined ? 0 : before.position + 1;
    const role = position % 2 === 0 ? ('user' as const) : ('assistant' as const);
    const chain = chainHash(before?.chain ?? '', fingerprint, sha256);
    const raw = JSON.stringify({ role, content: text });
    const entry: NewEntry = { position, chain, fingerprint, role, raw, tokens: text.length + index };
    before = entry;
    return entry;
  });
}

export function chainOf(entries: readonly NewEntry[]): string[] {
  return entries.map((entry) => entry.chain);
}

export function guardWith(change: Partial<Guard>): Guard {
  return { ...EMPTY_GUARD, ...change };
}

export function viewOf(viewId: string, last: NewEntry, baseViewId?: string): View {
  const at = { position: last.position, chain: last.chain };
  const fold = { to: last.position, toChain: last.chain, text: `summary of ${viewId}`, tokens: 7, summary: 'facts' as const };
  return { viewId, baseViewId, kind: 'compaction', cover: at, watermark: at, atMs: 50, body: { ...EMPTY_VIEW_BODY, fold } };
}

export function outcomeOf(attemptId: string, change: Partial<CompactionOutcome> = {}): CompactionOutcome {
  const sizes = { oldRequestTokens: 100, newRequestTokens: 40, tokenSavingsPct: 60, oldBytes: 400, newBytes: 160 };
  const counts = { changedMessages: 2, oldMessageCount: 9, newMessageCount: 4, passes: 1, durationMs: 3, atMs: 50 };
  const limits = { thresholdTokens: 90, targetTokens: 50, fitsTarget: true, fitsThreshold: true, fitsWindow: true };
  const rest = { stages: [], summary: 'facts' as const, floor: { tokens: 10, contributors: [] }, message: 'Compacted.' };
  const kinds = { triggerReason: 'token_threshold' as const, status: 'compacted' as const, exhausted: false };
  return { attemptId, sessionId: SESSION, conversationId: 'c1', ...sizes, ...counts, ...limits, ...rest, ...kinds, ...change };
}

export function anchorOf(tip: NewEntry, change: Partial<Anchor> = {}): Anchor {
  const identity = { model: 'm', viewId: '', preambleDigest: 'p', route: 'r' };
  return {
    ...identity,
    tip: tip.chain,
    tipPosition: tip.position,
    promptTokens: 100 + tip.position,
    estimateTokens: 90,
    atMs: 60,
    ...change,
  };
}

type Create = Extract<AppendEntries['target'], { kind: 'create' }>;

let operations = 0;

/** A store and the commands its tests give, with a fresh operation id for each. */
export class World {
  readonly store: Store;
  readonly peer: Store;

  constructor({ store, peer }: ContractStore) {
    this.store = store;
    this.peer = peer;
  }

  operationId(): string {
    operations += 1;
    return `operation-${operations}`;
  }

  async session(change: { tenant?: string; key?: string; sessionId?: string; atMs?: number } = {}): Promise<string> {
    const row = await this.store.ensureSession({ tenant: TENANT, key: 'key-a', sessionId: SESSION, atMs: 1, ...change });
    return row.sessionId;
  }

  command(target: AppendEntries['target'], entries: readonly NewEntry[], change: Partial<AppendEntries> = {}): AppendEntries {
    return { operationId: this.operationId(), atMs: 10, tenant: TENANT, sessionId: SESSION, target, entries, ...change };
  }

  createCommand(
    conversationId: string,
    entries: readonly NewEntry[],
    more: Partial<Create> & { row?: Partial<ConversationRow> } = {},
  ): AppendEntries {
    const { row, ...target } = more;
    const conversation = {
      conversationId,
      sessionId: SESSION,
      api: 'anthropic' as const,
      guardKey: conversationId,
      origin: 'first' as const,
      ...row,
    };
    return this.command({ kind: 'create', conversation, ...target }, entries, { sessionId: conversation.sessionId });
  }

  /** A session with one conversation 'c1' that holds the texts. */
  async conversation(texts: readonly string[] = ['ask', 'answer', 'ask more', 'answer more']): Promise<NewEntry[]> {
    await this.session();
    const entries = entriesOf(texts);
    await this.store.appendEntries(this.createCommand('c1', entries));
    return entries;
  }

  async extend(entries: readonly NewEntry[], expectedTip: string | undefined, conversationId = 'c1'): Promise<string> {
    return (await this.store.appendEntries(this.command({ kind: 'extend', conversationId, expectedTip }, entries))).status;
  }

  async branch(entries: readonly NewEntry[], from: string | undefined, conversationId = 'c1'): Promise<string> {
    return (await this.store.appendEntries(this.command({ kind: 'branch', conversationId, from }, entries))).status;
  }

  async fork(conversationId: string, entries: readonly NewEntry[], more: Partial<Create> = {}): Promise<string> {
    return (
      await this.store.appendEntries(this.createCommand(conversationId, entries, { row: { origin: 'fork', parentId: 'c1' }, ...more }))
    ).status;
  }

  locate(entries: readonly NewEntry[], sessionId = SESSION): Promise<Located> {
    return this.store.locate({ tenant: TENANT, sessionId, chain: chainOf(entries) });
  }

  async textsTo(tip: NewEntry, range: { from?: number; to?: number } = {}): Promise<(string | undefined)[]> {
    return (await this.store.readEntries({ tenant: TENANT, sessionId: SESSION, tip: tip.chain, ...range })).map((entry) => entry.raw);
  }

  commit(view: View, change: Partial<CommitCompaction> = {}): CommitCompaction {
    const guard = guardWith({ view: view.viewId, fence: 1 });
    const place = { tenant: TENANT, sessionId: SESSION, conversationId: 'c1', guardKey: 'c1' };
    return {
      operationId: this.operationId(),
      atMs: 50,
      ...place,
      expectedVersion: 0,
      guard,
      view,
      outcome: outcomeOf(view.viewId),
      ...change,
    };
  }

  /** Indexes everything that waits, with the raw text itself. */
  async index(sessionId = SESSION): Promise<void> {
    const waiting = await this.store.unindexedEntries({ tenant: TENANT, sessionId, limit: 10_000 });
    await this.store.indexEntries({
      tenant: TENANT,
      sessionId,
      rows: waiting.map(({ chain, raw }) => ({ chain, text: JSON.parse(raw ?? '{}').content })),
    });
  }
}

/** The code of the error that a promise is rejected with; 'none' when it is not. */
export async function codeOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'none',
    (error: unknown) => (error as { code?: unknown }).code ?? error,
  );
}
