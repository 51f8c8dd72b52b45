// The machine's own clock, digest and names, for whoever does not bring others.
import { hash, randomUUID } from 'node:crypto';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../ports/clock.ts';

export const systemClock: Clock = {
  now: () => Date.now(),
  wait: async (ms, signal) => void (await wait(ms, undefined, { signal })),
};

/** SHA-256 of the UTF-8 form, as lower-case hex. */
export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}

/** Resolves when what the event loop has at hand is done. */
export async function nextTurn(): Promise<void> {
  await turn();
}

/** 32 random hexadecimal digits. */
export function randomName(): string {
  return randomUUID().replaceAll('-', '');
}
