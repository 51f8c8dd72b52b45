// Refused media and refused reasoning: left out at once, and in every later request. Tried once per request.
import type { ErrorClass } from '../core/provider-error.ts';
import type { Context } from './context.ts';
import { type HeldFailure, type Recovered, surface } from './failure.ts';
import { finish } from './finish.ts';
import { tokenGoal } from './goals.ts';
import { attemptOrAlone } from './headroom.ts';
import { inFlightOf } from './in-flight.ts';
import { takeIn } from './intake.ts';
import type { SessionMemory } from './memory.ts';
import { openRequest, shapeOf } from './open-request.ts';
import { prepareRequest } from './prepare.ts';
import { type Repair, withRepair } from './prepared-id.ts';
import type { AttemptGoal } from './run.ts';

type AmendableFailure = HeldFailure & { readonly found: Extract<ErrorClass, { kind: 'media' | 'thinking-binding' }> | ErrorClass };

export async function amendAndRetry(context: Context, memory: SessionMemory, failure: AmendableFailure): Promise<Recovered> {
  const { held, record, found, signal } = failure;
  const repair: Repair = found.kind === 'media' ? 'media' : 'thinking';
  if (record.repairs.includes(repair))
    return surface(failure, { code: 'provider_error', note: 'Leaving out what was refused did not help.' });
  const startedAtMs = context.clock.now();
  const tried = withRepair(record, repair);
  const intake = takeIn(context, held.body, memory.last);
  const state = await openRequest(context, memory, { intake, shape: shapeOf(context, intake, held.model) });
  const goal: AttemptGoal = { ...tokenGoal(context, state, 'provider_413'), kind: 'overflow', amends: amendsOf(found) };
  const headroom = await attemptOrAlone(context, state, { goal, signal });
  if (!headroom.result.candidate && !headroom.result.isSuperseded)
    return surface(failure, { code: 'provider_error', note: 'Nothing of the kind can be left out.' });
  if (repair === 'thinking')
    context.log.write('warn', 'The provider refused reasoning of earlier answers; it is left out from now on.', { model: record.model });
  const request = headroom.result.isSuperseded
    ? await prepareRequest(context, memory, { body: held.body, options: { model: held.model, signal }, tried })
    : await finish(context, memory, { state, headroom, startedAtMs, tried });
  return { request, inFlight: inFlightOf(request, held) };
}

function amendsOf(found: ErrorClass): NonNullable<AttemptGoal['amends']> {
  if (found.kind !== 'media') return 'thinking';
  return { limitBytes: found.limitBytes, limitPx: found.limitPx, reach: 'all' };
}
