// prepare: sync → view → size → decide → (attempt) → encode. Named steps; each fault of the store lets the request go out as it came.
import type { Context } from './context.ts';
import { finish } from './finish.ts';
import { type Headroom, keepHeadroom } from './headroom.ts';
import { type BodyInput, takeIn } from './intake.ts';
import type { SessionMemory } from './memory.ts';
import { noteOutcome } from './note-outcome.ts';
import { openRequest, shapeOf } from './open-request.ts';
import type { OutcomeInput } from './outcome.ts';
import { isPassedThrough, passThrough } from './pass-through.ts';
import type { PreparedRequest, PrepareOptions } from './prepared.ts';
import type { Tried } from './prepared-id.ts';

export interface PrepareInput {
  readonly body: BodyInput;
  readonly options: PrepareOptions;
  /** What recovery already spent on this request. */
  readonly tried?: Tried;
}

const ADOPT_TRIES = 2;

/** Throws UllageError transcript_invalid for a body that is not this API's; nothing for a size or a store that is down. */
export async function prepareRequest(context: Context, memory: SessionMemory, input: PrepareInput): Promise<PreparedRequest> {
  const startedAtMs = context.clock.now();
  const intake = takeIn(context, input.body, memory.last);
  const shape = shapeOf(context, intake, input.options.model);
  if (isPassedThrough(intake)) return passThrough(context, memory, { intake, shape, tried: input.tried });
  for (let adopted = 0; ; adopted++) {
    const state = await openRequest(context, memory, { intake, shape });
    const onLate = (late: Headroom) => void noteLate(context, memory, { state, ...late, startedAtMs });
    const headroom = await keepHeadroom(context, state, { signal: input.options.signal, onLate });
    if (headroom?.result.isSuperseded && adopted < ADOPT_TRIES) {
      if (headroom.result.passes > 0) await noteOutcome(context, memory, { state, ...headroom, startedAtMs });
      continue;
    }
    return finish(context, memory, { state, headroom, startedAtMs, tried: input.tried });
  }
}

/** What an attempt came to after its caller had gone on: nobody waits for it, but it is told. */
async function noteLate(context: Context, memory: SessionMemory, late: OutcomeInput): Promise<void> {
  try {
    await noteOutcome(context, memory, late);
  } catch (error) {
    context.log.write('error', 'The outcome of a compaction could not be told.', { error: String(error) });
  }
}
