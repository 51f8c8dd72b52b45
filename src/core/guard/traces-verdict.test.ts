// Traces about verdicts, strikes and readings. Each is a shortest trace in which looser rules went wrong; here the rules hold.
import { describe, expect, it } from 'vitest';
import { Play } from './testing/play.ts';
import { requestThrough } from './testing/world.ts';

/** Over the threshold of 100 whatever is folded, and far below the window. */
const FLOORED = { hidden: 95 };

const MINUTE_MS = 60_000;
const REST_MS = 300_000;

function tripped(): Play {
  return new Play(FLOORED).turn().turn();
}

describe('X1: a crash before the answer must not hide that the compaction bought nothing (F20)', () => {
  it('the pending verdict defers the next attempt: two compactions, with a crash as without', () => {
    const play = new Play(FLOORED).turn('lost').turn('lost').turn('lost');
    expect(play.decide()).toMatchObject({ decision: 'deferred', reason: 'verdict_pending' });
    expect(play.world.calls).toBe(1);
    for (let i = 0; i < 10; i++) play.turn();
    expect(play.world.calls).toBe(2);
    expect(play.decide()).toMatchObject({ decision: 'blocked', reason: 'guard_ineffective' });
    expect(tripped().world.calls).toBe(2);
  });
});

describe('X2: a verdict that never comes must not defer for ever', () => {
  it('when the answer is lost, or its branch was edited away, the wait ends by time', () => {
    const play = new Play(FLOORED).turn('lost').wait(REST_MS - 1);
    const abandoned = { ...requestThrough(play.world, undefined, 'm'), id: 99 };
    play.world = { ...play.world, requests: [abandoned] };
    play.do({ do: 'answer', request: 99, how: 'usage' });
    expect(play.decide().decision).toBe('deferred');
    expect(play.wait(1).decide().decision).toBe('allow');
  });

  it('an answer without usage ends it at once', () => {
    expect(new Play(FLOORED).turn('unknown').decide().decision).toBe('allow');
  });
});

describe('X4: a late answer from before the commit', () => {
  it('is no strike for a compaction that worked', () => {
    const play = new Play();
    const late = requestThrough(play.world, undefined, 'm');
    play.world = { ...play.world, requests: [{ ...late, id: 50 }] };
    play.prepare();
    const before = play.guard;
    play.do({ do: 'answer', request: 50, how: 'usage' });
    expect(late.size).toBeGreaterThanOrEqual(100);
    expect(play.guard).toEqual(before);
    play.do({ do: 'answer', request: play.newest.id, how: 'usage' });
    expect(play.guard).toMatchObject({ strikes: 0, pending: undefined });
  });
});

describe('X5: a small reading of a fork, a title generator or an older view', () => {
  it('does not clear strikes: two compactions, not four', () => {
    const play = new Play(FLOORED).turn();
    for (let i = 0; i < 3; i++) {
      play.world = { ...play.world, requests: [{ id: 70 + i, view: undefined, grown: 5, size: 5, model: 'm' }] };
      play.do({ do: 'answer', request: 70 + i, how: 'usage' }).turn();
    }
    expect(play.guard.strikes).toBe(2);
    expect(play.world.calls).toBe(2);
  });
});

describe('X6: entries appended during the summary and before the answer fill the room', () => {
  it('that is no strike for a compaction that worked', () => {
    const play = new Play();
    play.begin();
    play.append(40, 60).do({ do: 'call', agent: 0, isGood: true }, { do: 'commit', agent: 0 });
    expect(play.newest).toMatchObject({ grown: 100, size: 170 });
    play.do({ do: 'answer', request: play.newest.id, how: 'usage' });
    expect(play.guard).toMatchObject({ strikes: 0, pending: undefined });
  });
});

describe('X7: a probe whose answer has no usage, or whose process dies', () => {
  it.each(['unknown', 'lost'] as const)('answer %s: strikes stay, and the rest begins anew', (how) => {
    const play = tripped().wait(REST_MS).turn(how);
    expect(play.world.calls).toBe(3);
    expect(play.guard.strikes).toBe(2);
    for (let i = 0; i < 8; i++) play.turn(how);
    expect(play.world.calls).toBe(3);
    expect(play.wait(REST_MS - 1).decide().decision).not.toBe('probe');
    expect(play.wait(1).decide().decision).toBe('probe');
  });

  it('a claim alone changes nothing', () => {
    const play = tripped().wait(REST_MS);
    const { strikes, tokens } = play.guard;
    expect(play.begin()).toBe(true);
    expect(play.guard).toMatchObject({ strikes, tokens });
  });
});

describe('X9: a background compaction whose floor lies between the soft mark and the threshold', () => {
  it('is judged at the mark that made it due', () => {
    const play = new Play({ hidden: 10, summary: 15 });
    play.turn('usage', { kind: 'background' });
    expect(play.guard).toMatchObject({ strikes: 1, proof: { size: 85, mark: 81 } });
    for (let i = 0; i < 10; i++) play.turn('usage', { kind: 'background' });
    expect(play.world.calls).toBe(2);
    expect(play.decide({ kind: 'background' })).toMatchObject({ decision: 'blocked', reason: 'guard_ineffective' });
  });

  it('does not clear strikes that were earned below it', () => {
    const play = new Play({ hidden: 10, summary: 15 });
    play.turn('usage', { kind: 'background' }).turn('usage', { kind: 'background' });
    const { strikes } = play.guard;
    play.append(55).wait(REST_MS).turn();
    expect(play.commits('automatic')).toBe(1);
    expect(play.guard.strikes).toBe(strikes);
  });
});

describe('X10: an undo, a manual or an overflow compaction before the answer', () => {
  it('undo: the answer is no strike', () => {
    const play = new Play(FLOORED);
    const { id: request } = play.prepare();
    play.do({ do: 'undo' }, { do: 'answer', request, how: 'usage' }).turn();
    expect(play.guard).toMatchObject({ strikes: 0, pending: undefined });
  });

  it.each(['manual', 'overflow'] as const)('%s: neither the old answer nor the next is a strike', (kind) => {
    const play = new Play(FLOORED);
    const { id: request } = play.prepare();
    play.turn('usage', { kind, agent: 1 }).do({ do: 'answer', request, how: 'usage' });
    expect(play.world.commits).toEqual(['automatic', kind]);
    expect(play.guard).toMatchObject({ strikes: 0, pending: undefined });
  });
});

describe('X11: after an undo the request is over the threshold again', () => {
  it('the same range is not folded at once', () => {
    const play = new Play().turn().do({ do: 'undo' });
    for (let i = 0; i < 5; i++) play.turn();
    expect(play.selfStarted).toBe(1);
    expect(play.decide()).toMatchObject({ decision: 'blocked', reason: 'guard_undone', retryTokens: 950 });
  });

  it('until an hour has passed, 95 % of usable is reached, or the provider refuses', () => {
    const play = () => new Play().turn().do({ do: 'undo' });
    expect(play().wait(3_600_000).decide().decision).toBe('allow');
    expect(play().append(840).decide().decision).toBe('allow');
    expect(play().decide({ kind: 'overflow' }).decision).toBe('allow');
  });
});

describe('X12: the floor is over the window, so the provider refuses every request', () => {
  it('its refusal is a verdict: two automatic compactions, then rest', () => {
    const play = new Play({ hidden: 1_000 });
    for (let i = 0; i < 6; i++) play.turn('overflow').turn('overflow', { kind: 'overflow' });
    expect(play.selfStarted).toBe(2);
    expect(play.decide()).toMatchObject({ decision: 'blocked', reason: 'guard_ineffective' });
  });
});

describe('X13: the same, with a message of the user every time', () => {
  it('an overflow is always answered, but model summaries stop', () => {
    const play = new Play({ hidden: 1_000 });
    for (let i = 0; i < 12; i++) {
      play.turn('overflow');
      expect(play.decide({ kind: 'overflow' }).decision).toBe('allow');
      play.turn('overflow', { kind: 'overflow' });
    }
    expect(play.commits('overflow')).toBe(12);
    expect(play.world.calls).toBeLessThanOrEqual(4);
  });
});

describe('X14: two models take turns on one conversation', () => {
  it('a change of the model clears nothing, and each model is tried once when tripped', () => {
    const play = new Play({ hidden: 130, marks: { m: 100, n: 130 } });
    for (let i = 0; i < 6; i++) play.turn('usage', { model: 'm' }).turn('usage', { model: 'n' });
    expect(play.world.calls).toBeLessThanOrEqual(3);
    expect(play.guard.strikes).toBeGreaterThanOrEqual(2);
  });

  it('a reading under the mark of the larger model does not clear strikes of the smaller', () => {
    const play = new Play({ hidden: 40, marks: { m: 100, n: 130 } }).turn().turn();
    expect(play.guard).toMatchObject({ strikes: 2, proof: { size: 110, mark: 100 } });
    const { guard } = play;
    expect(play.turn('usage', { model: 'n' }).guard).toEqual(guard);
    expect(play.world.calls).toBe(2);
  });
});

describe('X15: what a first mend of X14 missed', () => {
  it('an effective verdict at the larger mark does not clear strikes judged at the smaller', () => {
    const play = new Play({ hidden: 40, marks: { m: 100, n: 130 } }).turn().turn().append(60);
    expect(play.decide({ model: 'n' }).decision).toBe('probe');
    const { id: request, size } = play.prepare({ model: 'n' });
    expect(size).toBeLessThan(130);
    play.do({ do: 'answer', request, how: 'usage' });
    expect(play.guard).toMatchObject({ strikes: 2, pending: undefined, proof: { mark: 100 } });
  });

  it('a model whose commit another model’s reading meets does not stay untried', () => {
    const play = new Play({ hidden: 130, marks: { m: 100, n: 130 } }).turn().turn();
    expect(play.decide({ model: 'n' }).decision).toBe('probe');
    play.do({ do: 'answer', request: play.prepare({ model: 'n' }).id, how: 'lost' });
    play.turn('usage', { model: 'm' });
    expect(play.guard.pending?.model).toBe('n');
    play.wait(REST_MS - MINUTE_MS).turn('unknown', { model: 'm' });
    expect(play.guard.pending).toBeUndefined();
    expect(play.decide({ model: 'n' })).toMatchObject({ decision: 'blocked', reason: 'guard_ineffective' });
  });
});
