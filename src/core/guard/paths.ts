// Cooling of summarizer paths: which may be tried, what a failure costs, and what an attempt that died is charged with (row A2).
import { over } from './derive.ts';
import type { Ask, Cooling, FailedPath, Guard, GuardOptions } from './guard.ts';

/** `lease.path` of an attempt that calls no model. */
export const FACTS_PATH = 'facts';
/** `lease.path` of an attempt that has not chosen a path yet. */
export const NO_PATH = 'none';
/** A cooldown with this deadline binds every ask: a crash says nothing about deadlines. Also the largest deadline that is stored. */
export const ANY_DEADLINE_MS = Number.MAX_SAFE_INTEGER;

/** When an event is applied, and by which options. */
export interface Moment {
  readonly now: number;
  readonly options: GuardOptions;
}

type Paths = Guard['paths'];

export function isSummarizerPath(path: string): boolean {
  return path !== FACTS_PATH && path !== NO_PATH;
}

/** Paths of the ask that are not cooling for its deadline, in chain order (row E8). */
export function openPaths(paths: Paths, ask: Ask, now: number): string[] {
  return ask.paths.filter(({ path, deadlineMs }) => !isCooling(coolingOf(paths, path), deadlineMs, now)).map(({ path }) => path);
}

function isCooling(cooling: Cooling | undefined, deadlineMs: number, now: number): boolean {
  return cooling !== undefined && !over(cooling, cooling.periodMs, now) && deadlineMs <= cooling.deadlineMs;
}

/** A path is a name that a caller chose, so it may also be one that every object inherits. */
function coolingOf(paths: Paths, path: string): Cooling | undefined {
  return Object.hasOwn(paths, path) ? paths[path] : undefined;
}

/** One failure more for each of them, cooling from now. What calls no model cannot cool. */
export function coolPaths(paths: Paths, failed: readonly FailedPath[], at: Moment): Paths {
  // A map and not assignments to an object: a path may be called `__proto__`.
  const cooled = new Map(Object.entries(paths));
  for (const { path, deadlineMs, reason } of failed.filter(({ path }) => isSummarizerPath(path))) {
    const failures = (cooled.get(path)?.failures ?? 0) + 1;
    const periodMs = coolPeriod(failures, at.options);
    cooled.set(path, { failures, sinceMs: at.now, periodMs, deadlineMs: Math.min(deadlineMs, ANY_DEADLINE_MS), reason });
  }
  return Object.fromEntries(cooled);
}

function coolPeriod(failures: number, options: GuardOptions): number {
  return options.coolMs[Math.min(failures, options.coolMs.length) - 1] ?? 0;
}

export function withoutPath(paths: Paths, path: string): Paths {
  return Object.fromEntries(Object.entries(paths).filter(([name]) => name !== path));
}

/**
 * The record without a lease that has run out. Its holder is dead or stuck: the summarizer path it was on is charged, cooling from the moment
 * the lease ended (after a step back of the clock that moment lies ahead, and counts as now). A live lease is left alone.
 */
export function settleLease(guard: Guard, at: Moment): Guard {
  const { lease } = guard;
  if (lease === undefined || !over(lease, at.options.leaseMs, at.now)) return guard;
  if (!isSummarizerPath(lease.path)) return { ...guard, lease: undefined };
  const endedAtMs = Math.min(lease.sinceMs + at.options.leaseMs, at.now);
  const failed = [{ path: lease.path, deadlineMs: ANY_DEADLINE_MS, reason: 'lease_expired' }];
  return { ...guard, lease: undefined, paths: coolPaths(guard.paths, failed, { ...at, now: endedAtMs }) };
}
