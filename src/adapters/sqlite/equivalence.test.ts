import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ConversationRow, NewEntry, Store } from '../../ports/store.ts';
import { memoryStore } from '../../testkit/memory-store.ts';
import { anchorOf, chainOf, codeOf, entriesOf, guardWith, outcomeOf, SESSION, TENANT, viewOf } from '../../testkit/store-contract-world.ts';
import { sqliteStore } from './index.ts';

/** One step of a random history. The numbers choose among what there is; whether the step is allowed is for the stores to say alike. */
const STEP = fc.record({
  kind: fc.constantFrom(
    'extend',
    'follow',
    'branch',
    'fork',
    'rotate',
    'continue',
    'commit',
    'pin',
    'place',
    'unpin',
    'observe',
    'touch',
    'delete',
    'repeat',
  ),
  chain: fc.nat(30),
  at: fc.nat(12),
  conversation: fc.nat(8),
  length: fc.integer({ min: 1, max: 3 }),
  text: fc.constantFrom('a', 'b'),
});

type Step = typeof STEP extends fc.Arbitrary<infer T> ? T : never;
type Work = (store: Store) => Promise<unknown>;

/** What the history has named so far. */
interface Names {
  readonly chains: NewEntry[][];
  readonly conversations: string[];
  readonly works: Work[];
  count: number;
}

const pick = <T>(items: readonly T[], index: number): T => items[index % items.length]!;

function appendWork(names: Names, step: Step): Work {
  const { kind, at, length, text } = step;
  const base = pick(names.chains, step.chain);
  const prefix = base.slice(0, kind === 'branch' || kind === 'fork' ? at : base.length);
  const entries = kind === 'rotate' ? [] : entriesOf(Array(length).fill(text), kind === 'continue' ? undefined : prefix.at(-1));
  const parentId = pick(names.conversations, step.conversation);
  const from = prefix.at(-1)?.chain;
  if (entries.length > 0) names.chains.push(kind === 'continue' ? entries : [...prefix, ...entries]);
  const head = { operationId: `append-${names.count}`, atMs: names.count, tenant: TENANT, sessionId: SESSION, entries };
  if (kind === 'follow') {
    const asked = [...prefix, ...entries];
    const request = { ...head, api: at % 2 ? ('anthropic' as const) : ('openai-chat' as const), atMs: names.count * 9_000 };
    return (store) => store.followRequest({ ...request, chain: chainOf(asked), entries: asked.slice(-entries.length - (at % 3)) });
  }
  if (kind === 'extend') return (store) => store.appendEntries({ ...head, target: { kind, conversationId: parentId, expectedTip: from } });
  if (kind === 'branch') return (store) => store.appendEntries({ ...head, target: { kind, conversationId: parentId, from } });
  const conversationId = `c${names.conversations.push(`c${names.conversations.length}`) - 1}`;
  const origins: Record<string, ConversationRow['origin']> = { fork: 'fork', rotate: 'rotation', continue: 'continuation' };
  const origin = origins[kind]!;
  const guardKey = kind === 'fork' ? conversationId : parentId;
  const conversation = { conversationId, sessionId: SESSION, api: 'anthropic' as const, guardKey, parentId, origin };
  const closes = kind === 'fork' ? undefined : parentId;
  const guard = kind === 'fork' ? guardWith({ fence: names.count }) : undefined;
  return (store) =>
    store.appendEntries({ ...head, target: { kind: 'create', conversation, from: kind === 'continue' ? undefined : from, closes, guard } });
}

function otherWork(names: Names, step: Step): Work {
  const conversationId = pick(names.conversations, step.conversation);
  const entry = pick(pick(names.chains, step.chain), step.at);
  const place = { tenant: TENANT, conversationId };
  const head = { operationId: `other-${names.count}`, atMs: names.count, ...place };
  const id = String(names.count);
  const pinId = `p${step.at % 4}`;
  const works: Record<string, Work> = {
    commit: async (store) => {
      const { guard, conversation } = await store.loadConversation(place);
      const view = viewOf(`v${id}`, entry, guard.view);
      const key = { sessionId: SESSION, guardKey: conversation?.guardKey ?? '', expectedVersion: guard.version };
      return store.commitCompaction({ ...head, ...key, guard: { ...guard, view: view.viewId }, view, outcome: outcomeOf(id) });
    },
    pin: (store) => store.addPin({ ...head, pin: { pinId, text: id, createdAtMs: names.count } }),
    place: (store) => store.placePin({ ...place, pinId, placedAt: entry.chain }),
    unpin: (store) => store.removePin({ ...head, pinId }),
    observe: (store) => store.recordObservation({ ...head, sessionId: SESSION, anchor: anchorOf(entry, { model: step.text }) }),
    touch: (store) =>
      store.touchConversation({ ...place, atMs: step.at * 7, tipViewId: id, lastModel: step.text, isCurrent: step.at % 2 === 0 }),
    delete: (store) => (step.at === 0 ? store.deleteSession({ tenant: TENANT, sessionId: SESSION }) : Promise.resolve()),
    repeat: pick(names.works, step.chain),
  };
  return works[step.kind]!;
}

const APPENDS = new Set(['extend', 'follow', 'branch', 'fork', 'rotate', 'continue']);

const resultOf = async (work: Promise<unknown>): Promise<unknown> => {
  const code = await codeOf(work);
  return code === 'none' ? work : code;
};

/** Everything that can be asked about the history. */
async function picture(store: Store, names: Names): Promise<unknown> {
  const located = names.chains.map(async (entries) => {
    const chain = chainOf([...entries, ...entriesOf(['never stored'], entries.at(-1))]);
    const found = await store.locate({ tenant: TENANT, sessionId: SESSION, chain });
    const tip = chain[found.deepest ?? 0]!;
    return [
      found,
      await store.readEntries({ tenant: TENANT, sessionId: SESSION, tip, from: 1 }),
      await store.findEntry({ tenant: TENANT, chainPrefix: tip.slice(0, 12) }),
    ];
  });
  const loaded = names.conversations.map((conversationId) => store.loadConversation({ tenant: TENANT, conversationId }));
  const place = { tenant: TENANT, sessionId: SESSION };
  const lists = [store.conversations(place), store.outcomes({ ...place, limit: 50 }), store.listSessions({ tenant: TENANT })];
  return Promise.all([...located, ...loaded, ...lists]);
}

async function play(store: Store, works: readonly Work[]): Promise<unknown[]> {
  const results: unknown[] = [];
  for (const work of works) results.push(await resultOf(work(store)));
  return results;
}

describe('the SQLite store and the one in memory', () => {
  it('give the same answers to any history', () =>
    fc.assert(
      fc.asyncProperty(fc.array(STEP, { minLength: 5, maxLength: 40 }), async (steps) => {
        const first = entriesOf(['a', 'b', 'a']);
        const names: Names = { chains: [first], conversations: ['c0'], works: [], count: 0 };
        const conversation = {
          conversationId: 'c0',
          sessionId: SESSION,
          api: 'openai-chat' as const,
          guardKey: 'c0',
          origin: 'first' as const,
        };
        const head = { operationId: 'first', atMs: 0, tenant: TENANT, sessionId: SESSION, entries: first };
        names.works.push((store) => store.ensureSession({ tenant: TENANT, key: 'k', sessionId: SESSION, atMs: 0 }));
        names.works.push((store) => store.appendEntries({ ...head, target: { kind: 'create', conversation } }));
        for (const step of steps) {
          names.count += 1;
          names.works.push(APPENDS.has(step.kind) ? appendWork(names, step) : otherWork(names, step));
        }
        const [sqlite, memory] = [sqliteStore(':memory:'), memoryStore()];
        expect(await play(sqlite, names.works)).toEqual(await play(memory, names.works));
        expect(await picture(sqlite, names)).toEqual(await picture(memory, names));
        await sqlite.close();
      }),
      { seed: 4_711, numRuns: 150 },
    ));
});
