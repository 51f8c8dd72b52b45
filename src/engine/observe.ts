// The provider's own number for a request: verdict for the guard, anchor for the next size, calibration, a learnt window.
import { UllageError } from '../core/errors.ts';
import type { Reading } from '../core/guard/guard.ts';
import { calibrate, lowerWindow } from '../core/size/calibration.ts';
import { type JudgedReading, judgeReading } from '../core/size/reading.ts';
import type { Calibration, Usage } from '../core/size/size.ts';
import type { Located } from '../ports/store.ts';
import type { Context } from './context.ts';
import { applyGuardEvent } from './guard-store.ts';
import { calibrationFor } from './measure.ts';
import { modelFacts } from './options.ts';
import { decodePreparedId, type PreparedRecord } from './prepared-id.ts';

/** What was made of a reading. */
export interface Observation {
  readonly usage: Usage;
  /** Measured prompt size that was believed; undefined when usage is missing or flagged. */
  readonly size?: number;
  /** Why the reading was not believed. */
  readonly flag?: string;
}

/** A store that is down loses the reading, not the verdict: the pending verdict waits for the next one. Never throws for usage. */
export async function observeRequest(context: Context, id: string, usage: unknown): Promise<Observation> {
  const record = recordFor(context, id);
  const normalised = context.codec.usage(usage);
  if (record.isUnbound) return { usage: normalised, size: normalised.promptTokens };
  try {
    return await keepReading(context, record, normalised);
  } catch (error) {
    if (!UllageError.is(error) || !error.code.startsWith('store_')) throw error;
    context.health.store = 'unavailable';
    context.log.write('error', `A reading could not be stored: ${error.message}`, { code: error.code });
    return { usage: normalised };
  }
}

/** Throws option_invalid for an id of another tenant, like for anything else that is not an id of ours. */
export function recordFor(context: Context, id: string): PreparedRecord {
  const record = decodePreparedId(id);
  if (record.tenant !== context.tenant)
    throw new UllageError('option_invalid', 'Option id belongs to another tenant; use the id that prepare returned.');
  return record;
}

async function keepReading(context: Context, record: PreparedRecord, usage: Usage): Promise<Observation> {
  const { conversationId, guardKey, model } = record;
  const located = await context.store.loadConversation({ tenant: context.tenant, conversationId });
  const calibration = calibrationFor(context, located, model) ?? (await context.store.calibrations({ route: context.route, model }));
  const judged = judge(context, { record, usage, located, calibration });
  const reading: Reading = {
    view: record.viewId === '' ? undefined : record.viewId,
    grown: Math.round(record.grownTokens * factorOf(calibration)),
    size: judged.size,
    model,
  };
  await applyGuardEvent(context, { guardKey, known: located.guard }, { type: 'observe', reading });
  await storeReading(context, record, { judged, calibration });
  return { usage, size: judged.size, flag: judged.flag };
}

function factorOf(calibration: Calibration | undefined): number {
  return calibration?.samples ? calibration.factor : 1;
}

interface Judge {
  readonly record: PreparedRecord;
  readonly usage: Usage;
  readonly located: Located;
  readonly calibration: Calibration | undefined;
}

function judge(context: Context, { record, usage, located, calibration }: Judge): JudgedReading {
  const earlier = located.anchors.filter((anchor) => anchor.model === record.model && anchor.route === record.route);
  return judgeReading({
    measuredTokens: usage.promptTokens,
    windowTokens: calibration?.windowTokens ?? modelFacts(context.options, record.model).window,
    estimateTokens: record.estimateTokens,
    factor: factorOf(calibration),
    isCalibrated: (calibration?.samples ?? 0) > 0,
    earlier: earlier.map((anchor) => ({
      measuredTokens: anchor.promptTokens,
      estimateTokens: anchor.estimateTokens,
      isSameView: anchor.viewId === record.viewId,
    })),
  });
}

async function storeReading(
  context: Context,
  record: PreparedRecord,
  { judged, calibration }: { judged: JudgedReading; calibration: Calibration | undefined },
): Promise<void> {
  const { model, route, conversationId, sessionId } = record;
  const base: Calibration = calibration ?? { route, model, factor: 1, samples: 0 };
  const sampled =
    judged.size === undefined ? base : calibrate(base, { measuredTokens: judged.size, estimatedTokens: record.estimateTokens });
  const learnt = judged.learntWindowTokens === undefined ? sampled : lowerWindow(sampled, judged.learntWindowTokens);
  const hasAnchor = judged.size !== undefined && record.tip !== undefined;
  if (!hasAnchor && learnt === base) return;
  const atMs = context.clock.now();
  await context.store.recordObservation({
    operationId: `observe:${record.nonce}:${record.tip ?? ''}`,
    atMs,
    tenant: context.tenant,
    sessionId,
    conversationId,
    calibration: learnt === base ? undefined : learnt,
    anchor: hasAnchor
      ? {
          model,
          tip: record.tip!,
          tipPosition: record.tipPosition,
          viewId: record.viewId,
          preambleDigest: record.preambleDigest,
          route,
          promptTokens: judged.size!,
          estimateTokens: record.estimateTokens,
          atMs,
        }
      : undefined,
  });
}
