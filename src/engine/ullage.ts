// The engine: options in, sessions out. Opens the store when it is first needed.
import { UllageError } from '../core/errors.ts';
import { createContext, type System } from './context.ts';
import type { UllageEventName, UllageEvents } from './events.ts';
import { createMemory } from './memory.ts';
import { type UllageOptions, validateOptions } from './options.ts';
import { createSession, type Session } from './session.ts';
import type { Wire } from './wire.ts';

/** What `createUllage` gives. */
export interface Ullage {
  /** Opens or resumes the session of this key; binds its durable guard. Throws option_invalid, store_unavailable, store_newer, store_corrupt. */
  session(key: string): Promise<Session>;
  /** Returns a function that ends the subscription. */
  on<N extends UllageEventName>(name: N, listener: (event: UllageEvents[N]) => void): () => void;
  /** Closes the store; `session()` opens it again. */
  close(): Promise<void>;
}

const KEY_LIMIT_CHARS = 512;

/** The engine without its formats: `createUllage` of the package passes them in. */
export function createEngine(options: UllageOptions, wire: Wire, system: System): Ullage {
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
