// A point of time as people read it, by arithmetic: core has no clock and no calendar of the machine.

const DAY_MS = 86_400_000;
/** Days of 400 years: after them the calendar repeats. */
const ERA_DAYS = 146_097;
/** Days from 0000-03-01, where an era begins, to 1970-01-01. */
const EPOCH_DAYS = 719_468;
/** Largest distance from 1970 that is written as a date. */
const FARTHEST_MS = 8.64e15;

const two = (value: number): string => String(value).padStart(2, '0');

/** Year, month and day of a day number since 1970-01-01 (years begin in March, so that a leap day comes last). */
function civilDate(day: number): string {
  const shifted = day + EPOCH_DAYS;
  const era = Math.floor(shifted / ERA_DAYS);
  const dayOfEra = shifted - era * ERA_DAYS;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1)}`;
}

/** `2026-11-30 09:43:05 UTC`; undefined for what is no point of time. */
export function formatUtc(atMs: number): string | undefined {
  if (!Number.isFinite(atMs) || Math.abs(atMs) > FARTHEST_MS) return undefined;
  const day = Math.floor(atMs / DAY_MS);
  const seconds = Math.floor((atMs - day * DAY_MS) / 1_000);
  return `${civilDate(day)} ${two(Math.floor(seconds / 3_600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)} UTC`;
}
