// Puts the engine and the wire formats together: the package's front door.
import { randomName, sha256, systemClock } from './adapters/system/index.ts';
import type { UllageOptions } from './engine/options.ts';
import { createEngine, type Ullage } from './engine/ullage.ts';
import { readAnswer } from './wire/answer.ts';
import { createAnswerReader } from './wire/answer-stream.ts';
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
  const system = { clock: systemClock, digest: sha256, newId: randomName };
  const wire = { codecFor, classifyError, convertMessages, readAnswer, createAnswerReader, detectSilentOverflow };
  return createEngine(options, wire, system);
}
