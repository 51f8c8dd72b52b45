// What a writing process does again and again, and what must hold in the store whenever it is looked at.
import { chainHash } from '../../../core/transcript/chain.ts';
import type { Store } from '../../../ports/store.ts';
import { entriesOf, outcomeOf, SESSION, TENANT, viewOf } from '../../../testkit/store-contract-world.ts';
import { sha256 } from '../../system/index.ts';

const C1 = { tenant: TENANT, conversationId: 'c1' };
/** Every so many rounds the append is large, and takes several transactions. */
const LARGE_EVERY = 20;
const LARGE_CHARS = 300_000;

export interface Round {
  readonly name: string;
  readonly round: number;
}

function textsOf({ name, round }: Round): string[] {
  const filler = round % LARGE_EVERY === 0 ? 'x'.repeat(LARGE_CHARS) : '';
  return ['ask', 'answer', 'more', 'end'].map((kind) => `${name} ${round} ${kind} ${filler}`);
}

/** The session and conversation that all writers share. */
export async function prepareRounds(store: Store): Promise<void> {
  await store.ensureSession({ tenant: TENANT, key: 'key', sessionId: SESSION, atMs: 1 });
  const conversation = { conversationId: 'c1', sessionId: SESSION, api: 'anthropic' as const, guardKey: 'c1', origin: 'first' as const };
  const target = { kind: 'create' as const, conversation };
  await store.appendEntries({ operationId: 'create', atMs: 1, tenant: TENANT, sessionId: SESSION, target, entries: entriesOf(['first']) });
}

/** Extends the conversation by the texts of the round, whatever others do meanwhile. */
export async function appendRound(store: Store, round: Round): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const tip = (await store.conversation(C1))!.tip!;
    const operationId = `${round.name}-${round.round}-${attempt}-${tip.position}`;
    const target = { kind: 'extend' as const, conversationId: 'c1', expectedTip: tip.chain };
    const entries = entriesOf(textsOf(round), tip);
    if ((await store.appendEntries({ operationId, atMs: 2, tenant: TENANT, sessionId: SESSION, target, entries })).status === 'appended')
      return;
  }
}

/** The same as a request that goes on from the tip. */
export async function followRound(store: Store, round: Round): Promise<void> {
  for (;;) {
    const tip = (await store.conversation(C1))!.tip!;
    const stored = await store.readEntries({ tenant: TENANT, sessionId: SESSION, tip: tip.chain });
    const entries = entriesOf(textsOf(round), tip);
    const chain = [...stored, ...entries].map((entry) => entry.chain);
    const request = { tenant: TENANT, sessionId: SESSION, api: 'anthropic' as const, atMs: 100_000, chain, entries };
    if ((await store.followRequest(request)).appendedFrom !== undefined) return;
  }
}

/** Commits a compaction that counts itself in the guard. */
export async function commitRound(store: Store, { name, round }: Round): Promise<void> {
  for (;;) {
    const { guard, conversation } = await store.loadConversation(C1);
    const { position, chain } = conversation!.tip!;
    const viewId = `${name}-${round}`;
    const view = { ...viewOf(viewId, entriesOf(['x'])[0]!, guard.view), watermark: { position, chain } };
    const command = { operationId: `${viewId}-${guard.version}`, atMs: 3, ...C1, sessionId: SESSION, guardKey: 'c1' };
    const next = { ...guard, view: viewId, strikes: guard.strikes + 1 };
    if (await store.commitCompaction({ ...command, expectedVersion: guard.version, guard: next, view, outcome: outcomeOf(viewId) })) return;
  }
}

/** Everything that is wrong with the store, given what it has confirmed; empty when it is whole. */
export async function faultsOf(store: Store, confirmed: { appended: readonly Round[]; committed: readonly Round[] }): Promise<string[]> {
  return [
    ...(await chainFaults(store, confirmed.appended)),
    ...(await commitFaults(store, confirmed.committed)),
    ...(await checkFaults(store)),
  ];
}

async function chainFaults(store: Store, appended: readonly Round[]): Promise<string[]> {
  const { tip } = (await store.conversation(C1))!;
  const entries = await store.readEntries({ tenant: TENANT, sessionId: SESSION, tip: tip!.chain });
  let previous = '';
  const broken = entries.filter(({ position, chain, fingerprint, raw }, index) => {
    const isWhole =
      position === index && chain === chainHash(previous, fingerprint, sha256) && sha256(JSON.parse(raw!).content) === fingerprint;
    previous = chain;
    return !isWhole;
  });
  const texts = entries.map(({ raw }) => String(JSON.parse(raw!).content));
  const rounds = new Set(texts.slice(1).map((text) => text.split(' ', 2).join(' ')));
  const torn = [...rounds].filter((round) => texts.filter((text) => text.startsWith(`${round} `)).length !== 4);
  const lost = appended.map(({ name, round }) => `${name} ${round}`).filter((round) => !rounds.has(round));
  return [
    ...broken.map(({ position }) => `entry ${position} is broken`),
    ...(entries.length === tip!.position + 1 ? [] : [`${entries.length} entries up to position ${tip!.position}`]),
    ...torn.map((round) => `round ${round} is not there exactly once`),
    ...lost.map((round) => `round ${round} was confirmed and is lost`),
  ];
}

async function commitFaults(store: Store, committed: readonly Round[]): Promise<string[]> {
  const { guard, views } = await store.loadConversation(C1);
  const outcomes = await store.outcomes({ tenant: TENANT, sessionId: SESSION, limit: 100_000 });
  const ids = views.map(({ viewId }) => viewId);
  const counts = [guard.version, guard.strikes, ids.length, new Set(ids).size, outcomes.length];
  const lost = committed.map(({ name, round }) => `${name}-${round}`).filter((id) => !ids.includes(id));
  return [
    ...(new Set(counts).size === 1 ? [] : [`version, strikes, views, different views, outcomes are ${counts.join(', ')}`]),
    ...lost.map((id) => `commit ${id} was confirmed and is lost`),
  ];
}

async function checkFaults(store: Store): Promise<string[]> {
  return (await store.check()).filter(({ ok }) => !ok).map(({ name, detail }) => `${name}: ${detail}`);
}
