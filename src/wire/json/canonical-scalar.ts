// Strings and numbers in one spelling each: equal values, equal text; different values never fall together.
import type { JsonNode } from './tree.ts';

/** A double holds every decimal of up to this many digits apart. */
const SAFE_DIGITS = 15;
const SURROGATE = /[\ud800-\udfff]/;

/** The string as JSON.stringify writes it; one with malformed escapes as it stands. */
export function canonicalString(text: string, node: JsonNode): string {
  const written = text.slice(node.start, node.end);
  if (!written.includes('\\u') && !written.includes('\\/') && !SURROGATE.test(written)) return written;
  try {
    return JSON.stringify(JSON.parse(written));
  } catch {
    return written;
  }
}

/** 1.0, 1e0 and 1 are one number; one that a double cannot hold keeps its digits. */
export function canonicalNumber(written: string): string {
  const value = Number(written);
  return written.length <= SAFE_DIGITS && Number.isFinite(value) ? String(value) : written;
}
