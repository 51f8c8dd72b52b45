// Limits in bytes and pixels, as errors print them. Text is normalised.

// Decimal units: where a provider means the binary one, the smaller number is the safe one.
const BYTES_OF_UNIT: Readonly<Record<string, number>> = { b: 1, byte: 1, bytes: 1, kb: 1_000, kib: 1_024, mb: 1_000_000, mib: 1_048_576 };

const AFTER_COMPARISON = /> (\d+) bytes/;
const WITH_UNIT = /(?:limit|max(?:imum)?|exceeds?|exceeded|than|only)[^\d.]{0,30}(\d{1,12}(?:\.\d{1,3})?) ?(bytes?|kib|kb|mib|mb)\b/;
/** Moonshot prints bytes without a unit. */
const MESSAGE_SIZE = /total message size \d+ exceeds limit (\d+)/;
const PIXELS = /max(?:imum)? allowed size[^:]{0,60}: (\d+) pixels/;

/** The printed limit in bytes, or undefined. */
export function sizeLimitOf(text: string): number | undefined {
  const exact = AFTER_COMPARISON.exec(text) ?? MESSAGE_SIZE.exec(text);
  if (exact) return Number(exact[1]);
  const match = WITH_UNIT.exec(text);
  return match ? Math.floor(Number(match[1]) * (BYTES_OF_UNIT[match[2]!] ?? 1)) : undefined;
}

/** The printed limit of an image's longer side in pixels, or undefined. */
export function pixelLimitOf(text: string): number | undefined {
  const match = PIXELS.exec(text);
  return match ? Number(match[1]) : undefined;
}
