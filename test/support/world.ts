// A world for engine tests: one store, one clock, any number of "processes" on them, and a provider that counts what it is sent.
import { createHash } from 'node:crypto';
import type { Api } from '../../src/core/transcript/entry.ts';
import { createUllage, type Prepared, type Session, type Ullage, type UllageOptions } from '../../src/index.ts';
import type { Store } from '../../src/ports/store.ts';
import { type ManualClock, manualClock, memoryStore } from '../../src/testkit/index.ts';
import { type Conversation, makeConversation, messagesOf } from './conversation.ts';

export interface World {
  readonly api: Api;
  readonly store: Store;
  readonly clock: ManualClock;
  readonly logged: string[];
  /** A new process on the same store. */
  ullage(options?: Partial<UllageOptions>): Ullage;
  session(key?: string, options?: Partial<UllageOptions>): Promise<Session>;
}

export const SMALL_MODEL = { window: 20_000, maxOutputTokens: 2_000 };

export function makeWorld(api: Api = 'openai-chat', given: Partial<UllageOptions> = {}): World {
  const store = given.store ?? memoryStore();
  const clock = manualClock(1_000_000);
  const logged: string[] = [];
  const log = { write: (_level: string, message: string) => void logged.push(message) };
  const defaults = { store, clock, log, api, models: SMALL_MODEL, policy: { tailTokens: 2_000 } };
  const ullage = (options: Partial<UllageOptions> = {}) => createUllage({ ...defaults, ...given, ...options });
  return { api, store, clock, logged, ullage, session: (key = 'k', options = {}) => ullage(options).session(key) };
}

/** A conversation of so many turns, 2,000 to 4,000 tokens each. */
export function grown(api: Api, turns: number, seed = 11): Conversation {
  const conversation = makeConversation(api, seed);
  for (let turn = 0; turn < turns; turn++) conversation.grow({ steps: 3, resultWords: 250 });
  return conversation;
}

export function usageOf(api: Api, tokens: number): object {
  return api === 'openai-chat' ? { prompt_tokens: tokens, completion_tokens: 5 } : { input_tokens: tokens, output_tokens: 5 };
}

/** Prepares, and answers with the size that was expected. */
export async function exchange(session: Session, api: Api, body: object): Promise<Prepared> {
  const prepared = await session.prepare(body);
  await session.observe(prepared.id, usageOf(api, prepared.context.tokens));
  return prepared as Prepared;
}

/** Sent messages as JSON, without the preamble's. */
export function sentOf(prepared: { readonly body: unknown }): readonly string[] {
  return messagesOf(prepared.body)
    .filter((message) => message.role !== 'system' && message.role !== 'developer')
    .map((message) => JSON.stringify(message));
}

/** Sent messages by digest and beginning: equal exactly when their bytes are, and short when they are not. */
export function marksOf(prepared: { readonly body: unknown }): readonly string[] {
  return sentOf(prepared).map((json) => `${createHash('sha256').update(json).digest('hex').slice(0, 16)} ${json.slice(0, 60)}`);
}

export function occurrences(text: string, wanted: string): number {
  return text.split(JSON.stringify(wanted).slice(1, -1)).length - 1;
}

/** A compacted session of its own conversation: `body` is the request that was compacted. */
export async function compacted(world: World, turns = 5, options: Partial<UllageOptions> = {}) {
  const session = await world.session('k', options);
  const conversation = grown(world.api, turns);
  const body = conversation.ask();
  const prepared = await session.prepare(body);
  if (prepared.outcome?.status !== 'compacted') throw new Error(`not compacted: ${prepared.outcome?.message ?? 'not due'}`);
  return { session, conversation, body, prepared };
}

/** Lets everything run that waits for nothing but its turn. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
}
