// The provider's own number for a request: verdict for the guard, anchor for the next size, calibration, a learnt window.
import type { Answer, SilentOverflow } from '../core/answer.ts';
import { UllageError } from '../core/errors.ts';
import type { Reading } from '../core/guard/guard.ts';
import { resolveWindow } from '../core/size/budget.ts';
import { calibrate, lowerWindow } from '../core/size/calibration.ts';
import { type JudgedReading, judgeReading } from '../core/size/reading.ts';
import type { Calibration, Usage } from '../core/size/size.ts';
import type { Located } from '../ports/store.ts';
import type { Context } from './context.ts';
import { applyGuardEvent } from './guard-store.ts';
import { noteLostReading } from './learn.ts';
import { noteAnswered } from './note-answered.ts';
import { modelFacts } from './options.ts';
import { prepareAhead } from './prepare-ahead.ts';
import { decodePreparedId, type PreparedRecord } from './prepared-id.ts';
import { silentOverflowOf } from './silent-overflow.ts';

/** What was made of a reading. */
export interface Observation {
  readonly usage: Usage;
  /** Measured prompt size that was believed; undefined when usage is missing or flagged. */
  readonly size?: number;
  /** Why the reading was not believed. */
  readonly flag?: string;
  /** The answer came as a success, but the window cut it or the request. */
  readonly silentOverflow?: SilentOverflow['kind'];
}

/** A store that is down loses the reading, not the verdict: the pending verdict waits for the next one. Never throws for usage. */
export async function observeRequest(context: Context, id: string, usage: unknown): Promise<Observation> {
  return observeAnswer(context, recordFor(context, id), context.wire.readAnswer(context.codec.api, usage));
}

/** The same for an answer that was read already. */
export async function observeAnswer(context: Context, record: PreparedRecord, answer: Answer): Promise<Observation> {
  try {
    const observation = await keepReading(context, record, answer);
    prepareAhead(context, record, observation.size);
    return observation;
  } catch (error) {
    noteLostReading(context, error);
    return { usage: answer.usage };
  }
}

/** Throws option_invalid for an id of another tenant, like for anything else that is not an id of ours. */
export function recordFor(context: Context, id: string): PreparedRecord {
  const record = decodePreparedId(id);
  if (record.tenant !== context.tenant)
    throw new UllageError('option_invalid', 'Option id belongs to another tenant; use the id that prepare returned.');
  return record;
}

async function keepReading(context: Context, record: PreparedRecord, answer: Answer): Promise<Observation> {
  const { conversationId, guardKey, model, route, viewId } = record;
  const { usage } = answer;
  if (record.isUnbound) {
    await noteAnswered(context, record);
    return { usage, size: usage.promptTokens, ...silentIn(context, record, { answer }) };
  }
  const located = await context.store.loadConversation({ tenant: context.tenant, conversationId });
  await noteAnswered(context, record, located.conversation);
  const calibration =
    located.calibrations.find((row) => row.route === route && row.model === model) ?? (await context.store.calibrations({ route, model }));
  const told = silentIn(context, record, { answer, calibration });
  const judged = judge(context, { record, usage, located, calibration });
  const grown = Math.round(record.grownTokens * factorOf(calibration));
  const reading: Reading = { view: viewId === '' ? undefined : viewId, grown, size: judged.size, model };
  await applyGuardEvent(context, { guardKey, known: located.guard }, { type: 'observe', reading });
  await storeReading(context, record, { judged, calibration });
  return { usage, size: judged.size, ...(judged.flag === undefined ? {} : { flag: judged.flag }), ...told };
}

function silentIn(
  context: Context,
  record: PreparedRecord,
  known: { readonly answer: Answer; readonly calibration?: Calibration },
): Pick<Observation, 'silentOverflow'> {
  const silent = silentOverflowOf(context, record, known);
  if (!silent) return {};
  warnOf(context, record, silent);
  return { silentOverflow: silent.kind };
}

const SILENT_TEXTS: Readonly<Record<SilentOverflow['kind'], string>> = {
  'stopped-at-window': 'The window ended the answer',
  'empty-at-window': 'The window ended the answer before it began',
  'over-window': 'The provider counted more than the window is taken to hold',
  'truncated-upstream': 'The provider counted far less than was sent: it dropped a part of the request',
};

function warnOf(context: Context, record: PreparedRecord, { kind, promptTokens }: SilentOverflow): void {
  const { windowTokens, model, estimateTokens } = record;
  context.health.lastFault = `${kind}: ${promptTokens ?? 'no'} tokens counted, window ${windowTokens}`;
  context.log.write('warn', `${SILENT_TEXTS[kind]}.`, { model, promptTokens, windowTokens, estimateTokens });
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
  const known = modelFacts(context.options, record.model);
  const learnt = calibration?.windowTokens;
  return judgeReading({
    measuredTokens: usage.promptTokens,
    windowTokens: resolveWindow({ told: known.isGuess ? undefined : known.window, learnt }),
    isWindowGuess: known.isGuess && learnt === undefined,
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
    anchor: hasAnchor ? anchorOf(record, judged.size!, atMs) : undefined,
  });
}

function anchorOf(record: PreparedRecord, promptTokens: number, atMs: number) {
  const { model, tip, tipPosition, viewId, preambleDigest, route, estimateTokens } = record;
  return { model, tip: tip!, tipPosition, viewId, preambleDigest, route, promptTokens, estimateTokens, atMs };
}
