// Points in time and spans for people.
import { UllageError } from '../../../core/errors.ts';

const MINUTE_MS = 60_000;
const UNITS_MS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: 1_440 * MINUTE_MS, w: 10_080 * MINUTE_MS };
/** Longest span: further back than any session. */
const MOST_MS = 36_525 * 1_440 * MINUTE_MS;

/** `2026-01-31 17:05` in UTC. */
export function formatTime(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 16).replace('T', ' ');
}

/** Reads `30d`, `12h`, `90m`, `2w` into milliseconds. Throws option_invalid. */
export function parseAge(option: string, text: string): number {
  const match = /^(\d{1,6})([mhdw])$/.exec(text.trim());
  const ms = Number(match?.[1]) * (UNITS_MS[match?.[2] ?? ''] ?? Number.NaN);
  if (ms > 0 && ms <= MOST_MS) return ms;
  throw new UllageError('option_invalid', `${option} ${JSON.stringify(text)}: expected an age such as 30d, 12h or 90m.`);
}
