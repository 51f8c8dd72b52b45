// A provider's refusal of one request: what it is, what is known of the request, and how it is told to the caller.
import { type ErrorCode, UllageError } from '../core/errors.ts';
import type { FloorContributor } from '../core/plan/outcome.ts';
import type { ErrorClass } from '../core/provider-error.ts';
import type { InFlight } from './in-flight.ts';
import type { PreparedRequest } from './prepared.ts';
import type { PreparedRecord } from './prepared-id.ts';

export interface Failure {
  readonly record: PreparedRecord;
  readonly found: ErrorClass;
  /** The provider's own. */
  readonly error: unknown;
  /** Ends the caller's wait. */
  readonly signal?: AbortSignal;
}

/** A failure of a request that this process still holds. */
export type HeldFailure = Failure & { readonly held: InFlight };

export interface Retry {
  readonly request: PreparedRequest;
  readonly inFlight: InFlight;
}

export type Recovered = Retry | { readonly surface: UllageError };

export interface Surfacing {
  readonly code: ErrorCode;
  /** One more sentence. */
  readonly note?: string;
  /** Tokens the request has now, where that was measured or worked out. */
  readonly tokens?: number;
  readonly windowTokens?: number;
  readonly sizeBytes?: number;
  readonly contributors?: readonly FloorContributor[];
  readonly exhausted?: boolean;
}

/** The provider's error stays the cause, unchanged. */
export function surface({ error, found, record }: Failure, surfacing: Surfacing): { readonly surface: UllageError } {
  const { code, note, exhausted = false, tokens = record.estimateTokens, windowTokens = record.windowTokens } = surfacing;
  const largest = surfacing.contributors?.slice(0, 3);
  const message = [sentence(found, surfacing, { tokens, windowTokens }), note].filter((part) => part !== undefined).join(' ');
  const details = {
    kind: found.kind,
    passes: record.pass,
    requestTokens: tokens,
    windowTokens,
    exhausted,
    ...numbersOf(found),
    ...(surfacing.sizeBytes === undefined ? {} : { sizeBytes: surfacing.sizeBytes }),
    ...(largest === undefined ? {} : { contributors: largest }),
  };
  return { surface: new UllageError(code, message, { cause: error, details }) };
}

/** What the provider printed. */
function numbersOf(found: ErrorClass): Record<string, number> {
  const names = ['limit', 'actual', 'available', 'requested', 'limitBytes', 'limitPx', 'retryAfterMs', 'status'] as const;
  const known = found as { readonly [N in (typeof names)[number]]?: number };
  return Object.fromEntries(names.flatMap((name) => (known[name] === undefined ? [] : [[name, known[name]]])));
}

function sentence(found: ErrorClass, surfacing: Surfacing, size: { readonly tokens: number; readonly windowTokens: number }): string {
  const printed = found.kind === 'overflow' && found.actual !== undefined ? ` (${found.actual} by the provider’s count)` : '';
  const request = `The request has about ${size.tokens} tokens${printed}`;
  switch (surfacing.code) {
    case 'context_window_exceeded':
      return `${request}; the provider refuses it as too large for the window of ${size.windowTokens}.`;
    case 'floor_exceeds_window':
      return `${request}; what cannot be compacted does not fit the window of ${size.windowTokens}: ${largestOf(surfacing)}.`;
    case 'payload_too_large':
      return `The request has ${surfacing.sizeBytes ?? 'too many'} bytes; the provider accepts ${limitOf(found)}.`;
    case 'output_cap':
      return `The provider refuses the requested output beside this input; ${capOf(found)}.`;
    case 'compaction_deferred':
      return `${request}; the provider refuses it, and its compaction had to be put off.`;
    default:
      return found.kind === 'other' ? 'The provider answered with an error.' : `The provider answered with an error of kind ${found.kind}.`;
  }
}

function largestOf({ contributors = [] }: Surfacing): string {
  const named = contributors.slice(0, 3).map(({ name, tokens }) => `${name} ${Math.ceil(tokens)}`);
  return named.length === 0 ? 'nothing of it is known by name' : named.join(', ');
}

function limitOf(found: ErrorClass): string {
  return found.kind === 'payload' && found.limitBytes !== undefined ? `at most ${found.limitBytes}` : 'fewer';
}

function capOf(found: ErrorClass): string {
  if (found.kind !== 'output-cap') return 'no limit was printed';
  if (found.limit !== undefined) return `the model gives at most ${found.limit} tokens`;
  return found.available === undefined ? 'no limit was printed' : `${found.available} tokens are left for it`;
}
