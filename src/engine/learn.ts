// What a provider's refusal teaches for good: a printed window, and that the newest compaction did not help. Written before anything is retried.
import { UllageError } from '../core/errors.ts';
import { lowerWindow } from '../core/size/calibration.ts';
import type { Calibration } from '../core/size/size.ts';
import type { Context } from './context.ts';
import type { Failure } from './failure.ts';
import { applyGuardEvent } from './guard-store.ts';
import { modelFacts } from './options.ts';
import type { PreparedRecord } from './prepared-id.ts';

/** Needs no body: any process that sees the error can learn from it. Never throws for the store. */
export async function learnFrom(context: Context, { record, found }: Pick<Failure, 'record' | 'found'>): Promise<void> {
  if (found.kind !== 'overflow' || record.conversationId === '') return;
  try {
    const { route, model, guardKey } = record;
    const known: Calibration = (await context.store.calibrations({ route, model })) ?? { route, model, factor: 1, samples: 0 };
    if (found.limit !== undefined) await learnWindow(context, { record, known, limit: found.limit });
    if (record.isUnbound) return;
    const grown = Math.round(record.grownTokens * (known.samples > 0 ? known.factor : 1));
    const reading = { view: record.viewId === '' ? undefined : record.viewId, grown, model };
    await applyGuardEvent(context, { guardKey }, { type: 'overflow-verdict', reading, actual: found.actual, limit: found.limit });
  } catch (error) {
    noteLostReading(context, error);
  }
}

interface Printed {
  readonly record: PreparedRecord;
  readonly known: Calibration;
  readonly limit: number;
}

/** Only ever lower than what is believed; where nobody knew the window, what the provider printed is the first knowledge of it. */
async function learnWindow(context: Context, { record, known, limit }: Printed): Promise<void> {
  const { model, sessionId, conversationId, nonce } = record;
  if (limit >= record.windowTokens && !modelFacts(context.options, model).isGuess) return;
  const calibration = lowerWindow(known, limit);
  if (calibration === known) return;
  const { tenant } = context;
  const atMs = context.clock.now();
  await context.store.recordObservation({ operationId: `limit:${nonce}`, atMs, tenant, sessionId, conversationId, calibration });
  context.log.write('warn', `The provider printed a window of ${limit} tokens for ${model}; it counts from now on.`, { model, limit });
}

/**
 * A reading that could not be written is shown and dropped: the pending verdict waits for the next one. Said twice, or of a session that was
 * deleted meanwhile, it changes nothing.
 */
export function noteLostReading(context: Context, error: unknown): void {
  if (!UllageError.is(error)) throw error;
  if (error.code === 'operation_conflict' || error.code === 'session_not_found') return;
  if (!error.code.startsWith('store_')) throw error;
  context.log.write('error', `What a provider said could not be stored: ${error.message}`, { code: error.code });
}
