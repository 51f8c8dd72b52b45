// Overflows that come as a success: told with the observation, and recovered when nothing was answered.
import type { Answer, SilentOverflow } from '../core/answer.ts';
import type { OverflowError } from '../core/provider-error.ts';
import type { Calibration } from '../core/size/size.ts';
import type { Context } from './context.ts';
import type { PreparedRecord } from './prepared-id.ts';

export function silentOverflowOf(
  context: Context,
  record: PreparedRecord,
  { answer, calibration }: { readonly answer: Answer; readonly calibration?: Calibration },
): SilentOverflow | undefined {
  const isCalibrated = (calibration?.samples ?? 0) > 0;
  return context.wire.detectSilentOverflow({
    ...answer,
    windowTokens: record.windowTokens,
    estimateTokens: Math.round(record.estimateTokens * (isCalibrated ? calibration!.factor : 1)),
    isCalibrated,
  });
}

/** True when the window ended the answer before it began: sending the same again gives the same. */
export function isUnanswered(answer: Pick<Answer, 'hasContent'>, silent: Pick<SilentOverflow, 'kind'> | undefined): boolean {
  return silent?.kind === 'empty-at-window' || (silent?.kind === 'stopped-at-window' && !answer.hasContent);
}

/** A response that holds nothing as the overflow it stands for; undefined when something was said, or something else is the reason. */
export async function unansweredOverflow(context: Context, record: PreparedRecord, answer: Answer): Promise<OverflowError | undefined> {
  if (answer.hasContent || answer.failure !== undefined) return undefined;
  const { route, model } = record;
  const calibration = await context.store.calibrations({ route, model }).catch(() => undefined);
  const silent = silentOverflowOf(context, record, { answer, calibration });
  if (!isUnanswered(answer, silent)) return undefined;
  const actual = silent?.promptTokens;
  return { kind: 'overflow', text: 'The window ended the answer before it began.', ...(actual === undefined ? {} : { actual }) };
}
