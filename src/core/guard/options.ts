// The named constants of the guard, checked: a period that is no number would never end a rest, a limit that is none would never begin one.
import { UllageError } from '../errors.ts';
import { GUARD_DEFAULTS, type GuardOptions } from './guard.ts';

interface Limit {
  readonly from: number;
  readonly to: number;
  readonly isInteger?: boolean;
  /** A list by level; the last repeats. */
  readonly isList?: boolean;
}

const COUNT: Limit = { from: 1, to: 1_000, isInteger: true };
/** A week: nothing rests longer. */
const TIME_MS: Limit = { from: 1, to: 604_800_000 };
const SHARE: Limit = { from: 0, to: 100 };

const LIMITS: Record<keyof GuardOptions, Limit> = {
  strikeLimit: COUNT,
  refillLimit: COUNT,
  restMs: { ...TIME_MS, isList: true },
  noopRestMs: TIME_MS,
  undoRestMs: TIME_MS,
  verdictWaitMs: TIME_MS,
  coolMs: { ...TIME_MS, isList: true },
  leaseMs: TIME_MS,
  renewMs: TIME_MS,
  leaseCapMs: TIME_MS,
  longGrowthShare: SHARE,
  shortGrowthShare: SHARE,
  proofModels: COUNT,
};

/** What the caller gave, completed with the defaults. Throws UllageError option_invalid naming the option, its value and the limit. */
export function completeGuardOptions(given: Partial<GuardOptions> = {}): GuardOptions {
  if (typeof given !== 'object' || given === null) throw invalid('guard', given, 'an object');
  const told = Object.entries(given).filter(([, value]) => value !== undefined);
  for (const [name, value] of told) checkOption(name, value);
  return { ...GUARD_DEFAULTS, ...Object.fromEntries(told) };
}

function checkOption(name: string, value: unknown): void {
  const option = `guard.${name}`;
  if (!Object.hasOwn(LIMITS, name)) throw invalid(option, value, `left out: known are ${Object.keys(LIMITS).join(', ')}`);
  const limit = LIMITS[name as keyof GuardOptions];
  const numbers: readonly unknown[] = limit.isList !== true ? [value] : Array.isArray(value) ? value : [];
  if (numbers.length === 0 || !numbers.every((number) => isWithin(number, limit))) throw invalid(option, value, described(limit));
}

function isWithin(value: unknown, { from, to, isInteger = false }: Limit): boolean {
  return typeof value === 'number' && value >= from && value <= to && (!isInteger || Number.isInteger(value));
}

function described({ from, to, isInteger = false, isList = false }: Limit): string {
  const kind = isList ? 'a list of numbers, at least one, each' : isInteger ? 'a whole number' : 'a number';
  return `${kind} from ${from} to ${to}`;
}

function invalid(option: string, value: unknown, limit: string): UllageError {
  const message = `Option ${option} is ${String(value)}; it must be ${limit}. Correct it, or leave it out for the default.`;
  return new UllageError('option_invalid', message, { details: { option, limit } });
}
