// Numbers as a person reads and writes them: tokens, bytes, shares, durations.
import { UllageError } from '../../../core/errors.ts';

const KIBI = 1024;
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const BYTE_FACTORS: Readonly<Record<string, number>> = { '': 1, b: 1, kb: KIBI, mb: KIBI ** 2, gb: KIBI ** 3 };
const FACTORS: Readonly<Record<string, number>> = { '': 1, k: 1_000, m: 1_000_000 };

/** 1234567 → `1,234,567`. */
export function formatCount(value: number): string {
  const digits = String(Math.round(Math.abs(value)));
  return (value < 0 ? '-' : '') + digits.replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/** A share of 1 → `42 %`; below one percent but not nothing → `<1 %`. */
export function formatShare(share: number): string {
  if (share > 0 && share < 0.01) return '<1 %';
  return `${Math.round(share * 100)} %`;
}

/** Bytes → `512 B`, `1.5 KB`, `100 MB`: at most three digits. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 'B';
  for (const next of ['KB', 'MB', 'GB']) {
    if (value < KIBI) break;
    value /= KIBI;
    unit = next;
  }
  return `${unit === 'B' || value >= 10 ? Math.round(value) : Math.round(value * 10) / 10} ${unit}`;
}

/** Milliseconds → `850 ms`, `12.3 s`, `3 min 5 s`. */
export function formatDuration(durationMs: number): string {
  if (durationMs < SECOND_MS) return `${Math.round(durationMs)} ms`;
  if (durationMs < MINUTE_MS) return `${(durationMs / SECOND_MS).toFixed(1)} s`;
  const seconds = Math.round(durationMs / SECOND_MS);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Reads tokens as people write them: `200000`, `200_000`, `200,000`, `200k`, `1m`. Throws option_invalid. */
export function parseTokens(option: string, text: string): number {
  const match = /^(\d{1,3}(?:[,_]\d{3})+|\d+(?:\.\d+)?)([km]?)$/i.exec(text.trim());
  const value = Math.round(Number(match?.[1]?.replaceAll(/[,_]/g, '')) * (FACTORS[match?.[2]?.toLowerCase() ?? ''] ?? Number.NaN));
  if (!Number.isSafeInteger(value) || value <= 0) {
    throw new UllageError('option_invalid', `${option} ${JSON.stringify(text)}: expected tokens above 0, such as 200000, 200k or 1m.`);
  }
  return value;
}

/** Reads bytes as people write them: `1048576`, `200MB`, `0.4 GB`, at most `most` bytes. Throws option_invalid. */
export function parseBytes(option: string, text: string, most: number): number {
  const match = /^(\d+(?:\.\d+)?) ?([kmg]?b?)$/i.exec(text.trim());
  const value = Math.round(Number(match?.[1]) * (BYTE_FACTORS[match?.[2]?.toLowerCase() ?? ''] ?? Number.NaN));
  if (!(value > 0 && value <= most)) {
    throw new UllageError(
      'option_invalid',
      `${option} ${JSON.stringify(text)}: expected a size such as 200MB, at most ${formatBytes(most)}.`,
    );
  }
  return value;
}

/** Reads a whole number of at least `least`. Throws option_invalid. */
export function parseWhole(option: string, text: string, least = 1): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value) || value < least) {
    throw new UllageError('option_invalid', `${option} ${JSON.stringify(text)}: expected a whole number of at least ${least}.`);
  }
  return value;
}
