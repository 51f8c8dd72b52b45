// The event table as a whole, on records that need not make sense: total, pure, and silent when nothing changes.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeGuard, encodeGuard } from './encode.ts';
import { evaluate } from './evaluate.ts';
import { type Ask, EMPTY_GUARD, type Guard, type GuardEvent, type Rest, type UnitState } from './guard.ts';
import { reduceGuard } from './reduce.ts';
import { isEqualData } from './result.ts';
import { NOW } from './testing/fixtures.ts';

const RUNS = { seed: 20_260_101, numRuns: 1_000 };

const size = fc.integer({ min: 0, max: 300 });
const time = fc.integer({ min: -4_000, max: 4_000 }).map((second) => NOW + second * 1_000);
const model = fc.constantFrom('m', 'n', 'o');
const view = fc.option(fc.constantFrom('v1', 'v2'), { nil: undefined });
const fence = fc.integer({ min: 5, max: 7 });
const path = fc.constantFrom('summarizer', 'second', 'facts', 'none', '__proto__', 'constructor');
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const rest: fc.Arbitrary<Rest> = fc.record({
  reason: fc.constantFrom('ineffective', 'refill', 'nothing_to_compact', 'undone'),
  sinceMs: time,
  periodMs: fc.constantFrom(300_000, 600_000, 3_600_000),
  size,
  step: size,
});
const last = fc.record({ mark: size, watermark: fc.constantFrom('c1', 'c2') });
const unitState: fc.Arbitrary<UnitState> = fc.record({ rest: maybe(rest), refills: fc.nat(5), last: maybe(last), level: fc.nat(7) });
const cooling = fc.record({
  failures: fc.nat(5),
  sinceMs: time,
  periodMs: fc.constant(60_000),
  deadlineMs: size,
  reason: fc.constant('rate'),
});
const guards: fc.Arbitrary<Guard> = fc.record({
  version: fc.nat(),
  view,
  fence,
  lease: maybe(fc.record({ attemptId: fc.constant('a'), fence, path, sinceMs: time, claimedAtMs: maybe(time) })),
  pending: maybe(fc.record({ mark: size, model, sinceMs: time })),
  strikes: fc.nat(4),
  proof: maybe(fc.record({ size, mark: size, models: fc.uniqueArray(model) })),
  tokens: unitState,
  messages: unitState,
  paths: fc.dictionary(path, cooling),
});

const asks: fc.Arbitrary<Ask> = fc.record({
  kind: fc.constantFrom('automatic', 'background', 'manual', 'overflow'),
  unit: fc.constantFrom('tokens', 'messages'),
  size,
  mark: size,
  model,
  gain: size,
  minGain: fc.integer({ min: 1, max: 50 }),
  paths: fc.uniqueArray(fc.record({ path: fc.constantFrom('summarizer', 'second', '__proto__'), deadlineMs: size }), {
    selector: (x) => x.path,
  }),
});
const failed = fc.array(fc.record({ path, deadlineMs: size, reason: fc.constant('timeout') }), { maxLength: 3 });
const reading = fc.record({ view, grown: size, size: maybe(size), model });

const EVENTS: { readonly [T in GuardEvent['type']]: fc.Arbitrary<Extract<GuardEvent, { type: T }>> } = {
  claim: fc.record({ type: fc.constant('claim'), ask: asks, attemptId: fc.constant('b'), path }),
  renew: fc.record({ type: fc.constant('renew'), fence }),
  path: fc.record({ type: fc.constant('path'), fence, path }),
  'end-failed': fc.record({ type: fc.constant('end-failed'), fence, failed, isAborted: fc.boolean() }),
  'end-noop': fc.record({ type: fc.constant('end-noop'), fence, ask: asks, failed }),
  'end-superseded': fc.record({ type: fc.constant('end-superseded'), fence }),
  commit: fc.record({
    type: fc.constant('commit'),
    fence,
    baseView: view,
    viewId: fc.constant('v3'),
    ask: asks,
    watermark: fc.constant('c3'),
    growthAfter: size.map((growth) => () => growth),
    failed,
    modelPath: maybe(path),
  }),
  undo: fc.record({ type: fc.constant('undo'), viewId: fc.constant('v3'), size, usable: size, minGain: size }),
  observe: fc.record({ type: fc.constant('observe'), reading }),
  'overflow-verdict': fc.record({ type: fc.constant('overflow-verdict'), reading, actual: maybe(size), limit: maybe(size) }),
};
const events: fc.Arbitrary<GuardEvent> = fc.oneof(...Object.values(EVENTS));

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}

describe('any event on any record', () => {
  it.each(Object.entries(EVENTS))('%s: total, mutates nothing, and gives the same for the same', (_, arbitrary) => {
    fc.assert(
      fc.property(guards, arbitrary as fc.Arbitrary<GuardEvent>, time, (guard, event, now) => {
        deepFreeze(guard);
        const first = reduceGuard(guard, deepFreeze(event), now);
        expect(['accepted', 'refused']).toContain(first.status);
        expect(reduceGuard(structuredClone(guard), event, now).guard).toEqual(first.guard);
      }),
      { ...RUNS, numRuns: 200 },
    );
  });

  it('G3: an equal result is the very same object, so nothing is written', () => {
    let unchanged = 0;
    fc.assert(
      fc.property(guards, events, time, (guard, event, now) => {
        const result = reduceGuard(guard, event, now);
        expect(result.guard === guard).toBe(isEqualData(result.guard, guard));
        if (result.status === 'refused') expect(result.guard).toBe(guard);
        if (result.guard === guard) unchanged++;
      }),
      RUNS,
    );
    expect(unchanged).toBeGreaterThan(RUNS.numRuns / 10);
  });

  it('leaves the version to the store, and never lowers the fence', () => {
    fc.assert(
      fc.property(guards, events, time, (guard, event, now) => {
        const result = reduceGuard(guard, event, now).guard;
        expect(result.version).toBe(guard.version);
        expect(result.fence - guard.fence).toBe(event.type === 'claim' && result !== guard ? 1 : 0);
      }),
      RUNS,
    );
  });

  it('G1: a record that was written and read back decides and goes on alike', () => {
    fc.assert(
      fc.property(guards, fc.tuple(events, asks), time, (guard, [event, ask], now) => {
        const restarted = decodeGuard(encodeGuard(guard));
        expect(restarted).toEqual(guard);
        expect(evaluate(restarted, ask, now)).toEqual(evaluate(guard, ask, now));
        const [live, stored] = [reduceGuard(guard, event, now), reduceGuard(restarted, event, now)];
        expect(stored).toEqual(live);
        expect(decodeGuard(encodeGuard(live.guard))).toEqual(live.guard);
      }),
      { ...RUNS, numRuns: 400 },
    );
  });

  it('G11: manual and overflow change no streak and are held back by a live lease alone', () => {
    const forced = asks.filter(({ kind }) => kind === 'manual' || kind === 'overflow');
    fc.assert(
      fc.property(guards, forced, time, (guard, ask, now) => {
        const decision = evaluate(guard, ask, now);
        const isHeld = guard.lease !== undefined && Math.abs(now - guard.lease.sinceMs) < 60_000;
        expect(decision.decision).toBe(isHeld ? 'deferred' : 'allow');
        const held = { ...guard, view: 'v1', fence: 7, lease: { attemptId: 'a', fence: 7, path: 'facts', sinceMs: now } };
        const growthAfter = () => 0;
        const commit: GuardEvent = {
          type: 'commit',
          fence: 7,
          baseView: 'v1',
          viewId: 'v3',
          ask,
          watermark: 'c3',
          growthAfter,
          failed: [],
        };
        for (const event of [commit, { type: 'end-noop', fence: 7, ask, failed: [] } as const]) {
          const { strikes, tokens, messages, proof } = reduceGuard(held, event, now).guard;
          expect({ strikes, tokens, messages, proof }).toEqual({
            strikes: guard.strikes,
            tokens: guard.tokens,
            messages: guard.messages,
            proof: guard.proof,
          });
        }
      }),
      RUNS,
    );
  });

  it('G16: what cannot be read lets nothing automatic through (the half without a store)', () => {
    fc.assert(
      fc.property(asks, time, (ask, now) => {
        const { decision } = evaluate('unreadable', ask, now);
        const isDue = ask.size >= ask.mark || ask.kind === 'manual';
        expect(decision).toBe(ask.kind === 'overflow' ? 'allow' : isDue ? 'deferred' : 'not_due');
      }),
      RUNS,
    );
  });

  it('the empty record allows what is due', () => {
    fc.assert(
      fc.property(asks, time, (ask, now) => {
        const isForced = ask.kind === 'manual' || ask.kind === 'overflow';
        expect(evaluate(EMPTY_GUARD, ask, now).decision).toBe(isForced || ask.size >= ask.mark ? 'allow' : 'not_due');
      }),
      RUNS,
    );
  });
});
