// The prompt caches of both families: Anthropic's only at markers, OpenAI's automatic in steps. Time is given, nothing expires by itself.
import { createHash, type Hash } from 'node:crypto';
import type { Api } from '../../core/transcript/entry.ts';
import { type MarkerTtl, type Segment, totalTokens } from './segments.ts';

/** How the input of one request was read. All four are disjoint; their sum is the whole input. */
export interface CachedInput {
  readonly uncachedInput: number;
  readonly cacheRead: number;
  /** Written to live five minutes (Anthropic), or written at all (OpenAI). */
  readonly cacheWrite: number;
  /** Written to live one hour. */
  readonly cacheWrite1h: number;
}

export interface PrefixCache {
  /** Reads the longest known prefix, renews it, and stores what the request asks to store. */
  read(request: CacheRequest): CachedInput;
}

export interface CacheRequest {
  readonly api: Api;
  /** Prefixes are shared only inside a scope: account and model. */
  readonly scope: string;
  readonly segments: readonly Segment[];
  /** A shorter prefix is not cached. */
  readonly minimumTokens: number;
  readonly nowMs: number;
}

/** Blocks before a marker in which an older entry is looked for. */
const LOOKBACK_BLOCKS = 20;
const STEP_TOKENS = 128;
/** Inside a long text OpenAI's prefix may end anywhere; here every so many characters. */
const PIECE_CHARS = 1_024;
const TTL_MS: Readonly<Record<MarkerTtl | 'automatic', number>> = { '5m': 300_000, '1h': 3_600_000, automatic: 1_800_000 };
/** Beyond this the oldest are forgotten. */
const MAX_ENTRIES = 400_000;

interface Boundary {
  readonly key: string;
  /** Of the prefix that ends here. */
  readonly tokens: number;
  readonly marker?: MarkerTtl;
}

interface Entry {
  readonly expiresAtMs: number;
  readonly ttlMs: number;
}

/** An empty cache. */
export function createPrefixCache(): PrefixCache {
  const entries = new Map<string, Entry>();
  const put = (key: string, askedMs: number, nowMs: number): void => {
    const before = entries.get(key);
    // A marker for five minutes does not shorten the life of what was written for an hour.
    const ttlMs = before !== undefined && before.expiresAtMs > nowMs ? Math.max(askedMs, before.ttlMs) : askedMs;
    entries.delete(key);
    entries.set(key, { expiresAtMs: nowMs + ttlMs, ttlMs });
    if (entries.size > MAX_ENTRIES) entries.delete(entries.keys().next().value!);
  };
  const hit = (key: string, nowMs: number): boolean => {
    const entry = entries.get(key);
    if (entry === undefined || entry.expiresAtMs <= nowMs) return false;
    put(key, entry.ttlMs, nowMs);
    return true;
  };
  const store: Store = { put, hit };
  return { read: (request) => (request.api === 'anthropic' ? readMarked(request, store) : readAutomatic(request, store)) };
}

interface Store {
  put(key: string, ttlMs: number, nowMs: number): void;
  /** True when the prefix is there; it lives anew from now. */
  hit(key: string, nowMs: number): boolean;
}

function readMarked(request: CacheRequest, store: Store): CachedInput {
  const { segments, scope, minimumTokens, nowMs } = request;
  const total = totalTokens(segments);
  if (!segments.some(({ marker }) => marker !== undefined)) return input(total, 0, 0);
  const boundaries = segmentBoundaries(scope, segments);
  const markers = [...boundaries.keys()].filter((at) => boundaries[at]!.marker !== undefined && boundaries[at]!.tokens >= minimumTokens);
  const readTokens = longestRead(boundaries, markers, (key) => store.hit(key, nowMs));
  const written: Record<MarkerTtl, number> = { '5m': 0, '1h': 0 };
  let doneTokens = readTokens;
  for (const at of markers) {
    const { key, tokens, marker } = boundaries[at]!;
    if (tokens > doneTokens) {
      written[marker!] += tokens - doneTokens;
      doneTokens = tokens;
    }
    store.put(key, TTL_MS[marker!], nowMs);
  }
  const uncached = total - readTokens - written['5m'] - written['1h'];
  return { uncachedInput: uncached, cacheRead: readTokens, cacheWrite: written['5m'], cacheWrite1h: written['1h'] };
}

function longestRead(boundaries: readonly Boundary[], markers: readonly number[], isHit: (key: string) => boolean): number {
  for (const marker of markers.toReversed()) {
    for (let at = marker; at >= Math.max(0, marker - LOOKBACK_BLOCKS); at -= 1) {
      if (isHit(boundaries[at]!.key)) return boundaries[at]!.tokens;
    }
  }
  return 0;
}

function readAutomatic(request: CacheRequest, store: Store): CachedInput {
  const { segments, scope, minimumTokens, nowMs } = request;
  const total = totalTokens(segments);
  if (total < minimumTokens) return input(total, 0, 0);
  const boundaries = pieceBoundaries(scope, segments).filter(({ tokens }) => tokens >= minimumTokens);
  const found = boundaries.findLast(({ key }) => store.hit(key, nowMs));
  const read = found === undefined ? 0 : inSteps(found.tokens);
  for (const { key } of boundaries) store.put(key, TTL_MS.automatic, nowMs);
  return input(total, read, Math.max(0, inSteps(total) - read));
}

function inSteps(tokens: number): number {
  return Math.floor(tokens / STEP_TOKENS) * STEP_TOKENS;
}

function input(total: number, cacheRead: number, cacheWrite: number): CachedInput {
  return { uncachedInput: total - cacheRead - cacheWrite, cacheRead, cacheWrite, cacheWrite1h: 0 };
}

function segmentBoundaries(scope: string, segments: readonly Segment[]): readonly Boundary[] {
  const hash = createHash('sha256').update(scope);
  let tokens = 0;
  return segments.map((segment) => {
    hash.update(`\n${segment.text.length}:`).update(segment.text);
    tokens += segment.tokens;
    return { key: keyOf(hash), tokens, marker: segment.marker };
  });
}

function pieceBoundaries(scope: string, segments: readonly Segment[]): readonly Boundary[] {
  const hash = createHash('sha256').update(scope);
  const boundaries: Boundary[] = [];
  let before = 0;
  for (const { text, tokens } of segments) {
    hash.update('\n');
    for (let start = 0; start < text.length; start += PIECE_CHARS) {
      const end = Math.min(text.length, start + PIECE_CHARS);
      hash.update(text.slice(start, end));
      boundaries.push({ key: keyOf(hash), tokens: before + Math.floor((tokens * end) / text.length) });
    }
    before += tokens;
  }
  return boundaries;
}

function keyOf(hash: Hash): string {
  return hash.copy().digest('base64').slice(0, 24);
}
