// guard() and prepare are two doors to one answer: for the same request at the same time they give the same reason and the same end (G1).
import { describe, expect, it } from 'vitest';
import type { CompactionOutcome, Prepared, Session } from '../../src/index.ts';
import { bodyOf } from '../support/conversation.ts';
import { grown, makeWorld, usageOf } from '../support/world.ts';

const API = 'openai-chat';

type Status = Awaited<ReturnType<Session['guard']>>;

/** What both say, in the words of an outcome. */
function expectAgreement(status: Status, prepared: Prepared): string {
  const outcome = prepared.outcome as CompactionOutcome | undefined;
  if (outcome === undefined) return 'not due';
  if (outcome.guardBefore === 'allow' || outcome.guardBefore === 'probe') {
    // Without an answer since the newest compaction guard() does not know that the request would not fit.
    if (outcome.oldRequestTokens > prepared.budget.window) return 'over the window';
    expect(['allow', 'probe']).toContain(status.decision);
    return outcome.status;
  }
  expect({ reason: status.reason, retryAtMs: status.retryAtMs, retryTokens: status.retryTokens }).toEqual({
    reason: outcome.reason,
    retryAtMs: outcome.retryAtMs,
    retryTokens: outcome.retryTokens,
  });
  return outcome.reason!;
}

/** Plays a provider that counts more than was sent, asks both doors after every answer, and says what was met. */
async function play(policy: object, over: number): Promise<Set<string>> {
  const world = makeWorld(API, { policy });
  const session = await world.session();
  const conversation = grown(API, 2);
  const met = new Set<string>();
  for (let round = 0; round < 8; round += 1) {
    conversation.grow({ steps: 3, resultWords: 250 });
    const body = conversation.ask();
    const prepared = await session.prepare(body);
    await session.observe(prepared.id, usageOf(API, prepared.budget.threshold + over));
    for (let again = 0; again < 2; again += 1) {
      const status = await session.guard();
      met.add(expectAgreement(status, await session.prepare(body)));
    }
    if (round % 3 === 2) await world.clock.advance(300_000);
  }
  return met;
}

describe('guard() and prepare', () => {
  it('agree in every state that a useless provider brings about', async () => {
    const met = new Set<string>();
    for (const policy of [{ tailTokens: 2_000 }, { tailTokens: 2_000, threshold: 12_000 }, {}, { threshold: 12_000, target: 6_000 }]) {
      for (const over of [100, 3_000, 9_000]) for (const reason of await play(policy, over)) met.add(reason);
    }
    expect([...met]).toEqual(expect.arrayContaining(['compacted', 'guard_ineffective', 'floor_above_target']));
  });

  it('agree on a floor that the first ask makes, wherever it stands', async () => {
    const world = makeWorld(API, { policy: { threshold: 9_000, target: 6_000, tailTokens: 4_500 } });
    const session = await world.session();
    const reminder = { role: 'user', content: '<system-reminder>Be brief.</system-reminder>' };
    const ask = { role: 'user', content: 'word1 '.repeat(2_500) };
    const turns = [...Array.from({ length: 12 }, () => reminder), ask, ...grown(API, 2).messages];
    const prepared = await session.prepare(bodyOf(API, [...turns, { role: 'user', content: 'Go on.' }]));
    expect(prepared.outcome?.reason).toBe('floor_above_target');
    expect(expectAgreement(await session.guard(), prepared as Prepared)).toBe('floor_above_target');
  });

  it('agree after an undo, and after an attempt that found nothing', async () => {
    const world = makeWorld();
    const session = await world.session();
    const body = grown(API, 5).ask();
    await session.prepare(body);
    await session.undo();
    const status = await session.guard();
    const held = (await session.prepare(body)) as Prepared;
    if (held.context.tokens <= held.budget.window) expect(expectAgreement(status, held)).toBe('guard_undone');
    const other = await makeWorld(API, { policy: { tailTokens: 4_000 } }).session();
    const single = bodyOf(API, [{ role: 'user', content: 'word1 '.repeat(8_000) }]);
    await other.prepare(single);
    const rested = await other.guard();
    expect(expectAgreement(rested, (await other.prepare(single)) as Prepared)).toBe('guard_nothing_to_compact');
  });
});
