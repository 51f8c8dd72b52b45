import { describe, expect, it } from 'vitest';
import { manualClock } from './manual-clock.ts';

describe('manualClock', () => {
  it('ends waits in the order of their time, each at its own time', async () => {
    const clock = manualClock(1_000);
    const log: string[] = [];
    const note = (name: string) => () => log.push(`${name}@${clock.now()}`);
    void clock.wait(50).then(note('late'));
    void clock.wait(20).then(note('early'));
    void clock.wait(20).then(note('same'));
    await clock.advance(30);
    expect(log).toEqual(['early@1020', 'same@1020']);
    expect(clock.now()).toBe(1_030);
    await clock.advance(100);
    expect(log).toEqual(['early@1020', 'same@1020', 'late@1050']);
    expect(clock.pendingWaits).toBe(0);
  });

  it('ends waits that begin while time moves', async () => {
    const clock = manualClock();
    const times: number[] = [];
    const loop = async () => {
      for (let round = 0; round < 3; round += 1) {
        await clock.wait(10);
        times.push(clock.now());
      }
    };
    void loop();
    await clock.advance(100);
    expect(times).toEqual([10, 20, 30]);
    expect(clock.now()).toBe(100);
  });

  it('rejects with the reason of the signal, before and while waiting', async () => {
    const clock = manualClock();
    const controller = new AbortController();
    const waiting = clock.wait(10, controller.signal);
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(clock.wait(10, controller.signal)).rejects.toThrow('enough');
    expect(clock.pendingWaits).toBe(0);
  });

  it('can step backwards without ending or delaying a wait', async () => {
    const clock = manualClock(10_000);
    let isOver = false;
    void clock.wait(100).then(() => {
      isOver = true;
    });
    clock.set(0);
    await clock.advance(99);
    expect(isOver).toBe(false);
    await clock.advance(1);
    expect(isOver).toBe(true);
    expect(clock.now()).toBe(100);
  });
});
