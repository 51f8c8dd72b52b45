// Background preparation: after a response whose size passed the soft mark, the same attempt that the threshold would make, while nobody waits.
// Everything it decides by is read from the store anew, so it does the same after a restart; its view is met by the next request.
import { UllageError } from '../core/errors.ts';
import { evaluate } from '../core/guard/evaluate.ts';
import { attemptCompaction } from './attempt.ts';
import type { Context } from './context.ts';
import { backgroundGoal } from './goals.ts';
import { createMemory } from './memory.ts';
import { noteOutcome } from './note-outcome.ts';
import { stateOf } from './open-request.ts';
import type { PreparedRecord } from './prepared-id.ts';
import { boundOf, contextFor, storedIntake, storedShape } from './stored.ts';

/** Starts it when the policy says so and the reading calls for it; never waits, never throws. */
export function prepareAhead(context: Context, record: PreparedRecord, size: number | undefined): void {
  if (context.options.policy?.background !== true || context.store.storage === 'none') return;
  // Their summary is for the turn that has a caller; facts in advance would take its place.
  if (context.summarizers.length > 0 && context.summarizers.every(({ hasCaller }) => hasCaller !== undefined)) return;
  if (size === undefined || record.isUnbound || size < (record.softTokens ?? Number.POSITIVE_INFINITY)) return;
  context.background.start(() => attemptAhead(context, record, size));
}

async function attemptAhead(given: Context, record: PreparedRecord, size: number): Promise<void> {
  const startedAtMs = given.clock.now();
  try {
    const opened = await openRecorded(given, record, size);
    if (!opened) return;
    const { context, state, memory } = opened;
    const goal = backgroundGoal(context, state);
    if (!goal) return;
    const result = await attemptCompaction(context, state, goal);
    // What the guard put off was not begun: nothing to tell, and nothing new to tell at every response.
    if (result.passes > 0) await noteOutcome(context, memory, { state, goal, result, startedAtMs });
  } catch (error) {
    if (!UllageError.is(error)) throw error;
    given.log.write('warn', `Nothing could be prepared in the background: ${error.message}`, { code: error.code });
  }
}

/** The conversation that was answered, as it stands in the store; undefined when it is gone, has gone on, or would be refused anyway. */
async function openRecorded(given: Context, record: PreparedRecord, size: number) {
  const { conversationId, sessionId, tip } = record;
  const located = await given.store.loadConversation({ tenant: given.tenant, conversationId });
  const { conversation } = located;
  if (!conversation || conversation.tip?.chain !== tip) return undefined;
  // The claim asks again, of the record as it is then; this saves reading all messages at every response while the guard waits or rests.
  const ask = {
    kind: 'background',
    unit: 'tokens',
    size,
    mark: record.softTokens ?? size,
    model: record.model,
    gain: 0,
    minGain: 1,
    paths: [],
  } as const;
  if (!('paths' in evaluate(located.guard, ask, given.clock.now(), given.guardOptions))) return undefined;
  const context = contextFor(given, conversation.api);
  const memory = createMemory(sessionId, '');
  const stored = { conversation, located };
  const intake = await storedIntake(context, stored);
  const bound = boundOf(stored);
  const state = await stateOf(context, { intake, shape: storedShape(conversation, intake), bound });
  return { context, memory, state: { ...state, bound } };
}
