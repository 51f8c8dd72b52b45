// createUllage: options in, sessions out. Opens the store when it is first needed.
import { UllageError } from '../core/errors.ts';
import { codecFor } from '../wire/index.ts';
import { createContext } from './context.ts';
import type { UllageEventName, UllageEvents } from './events.ts';
import { createMemory } from './memory.ts';
import { type UllageOptions, validateOptions } from './options.ts';
import { createSession, type Session } from './session.ts';

export interface Ullage {
  /** Opens or resumes the session of this key; binds its durable guard. Throws option_invalid, store_unavailable, store_newer, store_corrupt. */
  session(key: string): Promise<Session>;
  /** Returns a function that ends the subscription. */
  on<N extends UllageEventName>(name: N, listener: (event: UllageEvents[N]) => void): () => void;
  close(): Promise<void>;
}

const KEY_LIMIT_CHARS = 512;

/**
 * Keeps headroom in the context windows of the sessions it opens.
 *
 * @example
 * ```ts
 * const ullage = createUllage({ store: sqliteStore('agent.db'), api: 'openai-chat' });
 * const session = await ullage.session('telegram:42');
 * const response = await session.send(body, (body, { signal }) => client.chat.completions.create(body, { signal }));
 * await ullage.close();
 * ```
 */
export function createUllage(options: UllageOptions): Ullage {
  validateOptions(options);
  const context = createContext(options, codecFor(options.api));
  let opened: Promise<void> | undefined;
  const open = () => {
    opened ??= context.store.open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return {
    async session(key) {
      if (typeof key !== 'string' || key === '' || key.length > KEY_LIMIT_CHARS) {
        throw new UllageError(
          'option_invalid',
          `Option key has ${String(key).length} characters; a session key has 1 to ${KEY_LIMIT_CHARS}.`,
        );
      }
      await open();
      const command = { tenant: context.tenant, key, sessionId: context.newId(), atMs: context.clock.now() };
      const row = await context.store.ensureSession(command);
      return createSession(context, createMemory(row.sessionId, key));
    },
    on: context.emitter.on,
    async close() {
      if (opened) await opened.then(() => context.store.close());
      opened = undefined;
    },
  };
}
