// Puts the engine and the wire formats together: the package's front door.
import { createAnyAnswerReader, readAnyAnswer } from './adapters/exchange/read-answers.ts';
import { OpenSessions } from './adapters/fetch/open-sessions.ts';
import { sessionFetch } from './adapters/fetch/session-fetch.ts';
import { nextTurn, randomName, sha256, systemClock } from './adapters/system/index.ts';
import type { UllageOptions } from './engine/options.ts';
import { createEngine, type Ullage } from './engine/ullage.ts';
import { convertMessages } from './wire/convert.ts';
import { classifyError } from './wire/errors/classify.ts';
import { detectSilentOverflow } from './wire/errors/silent-overflow.ts';
import { codecFor } from './wire/index.ts';

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
  const system = { clock: systemClock, digest: sha256, newId: randomName, nextTurn };
  const readers = { readAnswer: readAnyAnswer, createAnswerReader: createAnyAnswerReader };
  const wire = { codecFor, classifyError, convertMessages, detectSilentOverflow, ...readers };
  const engine = createEngine(options, wire, system);
  const sessions = new OpenSessions(engine, options.log);
  return {
    session: engine.session,
    on: engine.on,
    fetch: (key, fetchOptions) => sessionFetch(sessions, key, fetchOptions),
    async close() {
      sessions.clear();
      await engine.close();
    },
  };
}
