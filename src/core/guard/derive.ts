// What is derived from the record and never stored: whether a period has passed, and whether a rest blocks this ask.
import { type Ask, type AskKind, GUARD_DEFAULTS, type Guard, type GuardOptions, type Rest, type Unit } from './guard.ts';

/**
 * True when the period that began at `x.sinceMs` has passed. The absolute difference is the whole clock rule: a step back of a period or
 * more ends the wait, a smaller one lengthens it by less than one period.
 */
export function over(x: { readonly sinceMs: number }, periodMs: number, now: number): boolean {
  return Math.abs(now - x.sinceMs) >= periodMs;
}

/** Automatic and background attempts are what the guard holds back; manual and overflow are not. */
export function isSelfStarted(kind: AskKind): boolean {
  return kind === 'automatic' || kind === 'background';
}

/** True when the newest rest of this unit was earned by compactions, not by an empty plan or an undo. The next attempt is then a probe. */
export function isTripped(guard: Guard, unit: Unit = 'tokens'): boolean {
  const reason = guard[unit].rest?.reason;
  return reason === 'ineffective' || reason === 'refill';
}

/** True when a rest holds and binds this ask (row E6). */
// biome-ignore lint/complexity/useMaxParams: the options are an optional last word, and every caller names the other three.
export function isResting(guard: Guard, ask: Ask, now: number, options: GuardOptions = GUARD_DEFAULTS): boolean {
  const rest = guard[ask.unit].rest;
  return rest !== undefined && isRunning(rest, ask.size, now) && isBinding(guard, ask, options);
}

/** True while neither time nor growth has ended the rest, whoever asks. */
export function isRunning(rest: Rest, size: number, now: number): boolean {
  return !over(rest, rest.periodMs, now) && size < rest.size + rest.step;
}

/** What was proved at one mark with some models says nothing to a clearly larger mark or to an untried model. */
function isBinding(guard: Guard, ask: Ask, options: GuardOptions): boolean {
  const { proof } = guard;
  if (guard[ask.unit].rest?.reason !== 'ineffective' || proof === undefined) return true;
  const isTried = proof.models.includes(ask.model) || proof.models.length >= options.proofModels;
  return isTried && ask.mark < proof.size + ask.minGain;
}
