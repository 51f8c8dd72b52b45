// Rests and what leads to them: the period by level, and the record after a proven strike or a cleared one.
import type { Guard, Rest, UnitState } from './guard.ts';
import type { Moment } from './paths.ts';

/** A rest for compactions that did not help; the period grows with the level, and the level with it. */
export function tripped(unit: UnitState, rest: Pick<Rest, 'reason' | 'size' | 'step'>, at: Moment): UnitState {
  return { ...unit, rest: { ...rest, sinceMs: at.now, periodMs: restPeriod(unit.level, at) }, level: unit.level + 1 };
}

/** Index = level, the last repeats. */
export function restPeriod(level: number, at: Moment): number {
  const { restMs } = at.options;
  return restMs[Math.min(level, restMs.length - 1)] ?? 0;
}

/** Row O6: no strikes, nothing proved, no rest for ineffectiveness. A rest for refills stays. */
export function withoutStrikes(guard: Guard): Guard {
  const { tokens } = guard;
  return {
    ...guard,
    strikes: 0,
    proof: undefined,
    tokens: {
      ...tokens,
      rest: tokens.rest?.reason === 'ineffective' ? undefined : tokens.rest,
      level: tokens.refills === 0 ? 0 : tokens.level,
    },
  };
}

/** The models something was proved with, and one more. When full, the proof binds every model, so none needs to be added. */
export function withModel(models: readonly string[], model: string, at: Moment): readonly string[] {
  return models.includes(model) || models.length >= at.options.proofModels ? models : [...models, model];
}
