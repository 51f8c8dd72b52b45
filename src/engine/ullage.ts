// The engine: options in, sessions out. Opens the store when it is first needed.
import { UllageError } from '../core/errors.ts';
import type { Api } from '../core/transcript/entry.ts';
import { type Context, createContext, type System } from './context.ts';
import type { UllageEventName, UllageEvents } from './events.ts';
import { createMemory } from './memory.ts';
import { type UllageOptions, validateOptions } from './options.ts';
import { createSession, type Session } from './session.ts';
import type { Wire } from './wire.ts';

/** What a `fetch` is; the global one, or one that behaves like it. */
export type Fetch = typeof globalThis.fetch;

/** Options of `Ullage.fetch`. */
export interface FetchOptions {
  /** Sends the requests. Default: `globalThis.fetch`, looked up at each call. */
  readonly fetch?: Fetch;
}

/** The engine's own doors. */
export interface Engine {
  /**
   * Opens or resumes the session of this key; binds its durable guard. A new one is stored with its first request, not before. Throws
   * option_invalid, store_unavailable, store_newer, store_corrupt.
   */
  session(key: string): Promise<Session>;
  /** Returns a function that ends the subscription. */
  on<N extends UllageEventName>(name: N, listener: (event: UllageEvents[N]) => void): () => void;
  /** Ends what runs in the background and closes the store; `session()` opens it again. */
  close(): Promise<void>;
}

/** What `createUllage` gives. */
export interface Ullage extends Engine {
  /**
   * A `fetch` for the SDK of any of the three APIs: requests to `…/chat/completions`, `…/responses`, `…/messages` and `…/messages/count_tokens`
   * go through a session, all others straight to the fetch below. The answer is the provider's, byte for byte, with the headers
   * `x-ullage-session`, `x-ullage-context-tokens` and `x-ullage-outcome` beside its own. It throws what the fetch below throws; with the store
   * down requests go out as they came, and the last header says so. Credentials are handed on and kept nowhere.
   *
   * `key` names the session (1 to 512 characters). Without it, the header `x-ullage-session`, the client's own session id, the prompt cache key
   * or the beginning of the conversation does. Sessions of another API than the option `api` are kept apart: `@` and the API end their key.
   * Throws option_invalid.
   */
  fetch(key?: string, options?: FetchOptions): Fetch;
}

/** The engine, and the same store and events for formats and upstreams beside the one of its options. */
export interface OpenEngine extends Engine {
  sessionOf(key: string, place: { readonly api: Api; readonly route: string }): Promise<Session>;
}

const KEY_LIMIT_CHARS = 512;

/** Throws option_invalid. */
export function checkKey(key: unknown): void {
  if (typeof key !== 'string' || key === '' || key.length > KEY_LIMIT_CHARS)
    throw new UllageError('option_invalid', `Option key has ${String(key).length} characters; a session key has 1 to ${KEY_LIMIT_CHARS}.`);
  if (!key.isWellFormed() || key.includes('\0'))
    throw new UllageError('option_invalid', 'Option key holds a lone surrogate or a NUL character; a session key is well-formed text.');
}

/** The engine without its formats: `createUllage` of the package passes them in. */
export function createEngine(options: UllageOptions, wire: Wire, system: System): OpenEngine {
  validateOptions(options);
  const context = createContext(options, wire, system);
  let opened: Promise<void> | undefined;
  const open = () => {
    opened ??= context.store.open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  const openSession = async (own: Context, key: string): Promise<Session> => {
    await open();
    const row = await own.store.findSession({ tenant: own.tenant, key });
    return createSession(own, row ? createMemory(row.sessionId, key) : { ...createMemory(own.newId(), key), isNew: true });
  };
  return {
    async session(key) {
      checkKey(key);
      return openSession(context, key);
    },
    async sessionOf(key, { api, route }) {
      checkKey(key);
      const own = { ...context, codec: wire.codecFor(api), route: options.route ?? route };
      return openSession(own, api === options.api ? key : `${key}@${api}`);
    },
    on: context.emitter.on,
    async close() {
      await context.afterResponse.settled();
      await context.background.close();
      if (opened) await opened.then(() => context.store.close());
      opened = undefined;
    },
  };
}
