// What the tests of recovery share: processes on one store, a conversation that fits 40,000 tokens, and the error of a promise.
import type { Api } from '../../src/core/transcript/entry.ts';
import { createUllage, type Ullage, type UllageOptions } from '../../src/index.ts';
import { type ManualClock, manualClock, memoryStore } from '../../src/testkit/index.ts';
import { type Conversation, makeConversation } from './conversation.ts';

export interface World {
  readonly store: UllageOptions['store'];
  readonly clock: ManualClock;
  /** A new process on the same store. */
  open(more?: Partial<UllageOptions>): Ullage;
}

export function makeWorld(options: Partial<Omit<UllageOptions, 'clock'>> & { readonly api: Api; readonly clock?: ManualClock }): World {
  const store = options.store ?? memoryStore();
  const clock = options.clock ?? manualClock(0);
  const defaults = { models: { window: 40_000, maxOutputTokens: 2_000 }, policy: { tailTokens: 2_000 } };
  return { store, clock, open: (more = {}) => createUllage({ ...defaults, ...options, store, clock, ...more }) };
}

/** Of about 20,000 tokens by default: fits 40,000, not 10,000. */
export function grown(api: Api, turns = 12): Conversation {
  const conversation = makeConversation(api, 5);
  for (let turn = 0; turn < turns; turn++) conversation.grow({ steps: 3, resultWords: 250 });
  return conversation;
}

export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error('It did not fail.');
    },
    (error: unknown) => error,
  );
}
