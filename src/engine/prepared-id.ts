// `prepared.id` holds all that observing its answer needs, so any process can do it, also after a restart.
import { UllageError } from '../core/errors.ts';
import type { OutcomeReason } from '../core/plan/outcome.ts';

/** What is done at most once, or a few times, for one request besides compacting it. */
export type Repair = 'media' | 'thinking' | 'output';

/** What recovery already spent on a request. */
export interface Tried {
  /** Compactions. */
  readonly pass: number;
  /** In order. */
  readonly repairs: readonly Repair[];
  /** A compaction of it was put off, and why: it is not exhausted then. */
  readonly deferredBy?: OutcomeReason;
}

export const NOTHING_TRIED: Tried = { pass: 0, repairs: [] };

export function withRepair({ pass, repairs, deferredBy }: Tried, repair: Repair): Tried {
  return { pass, repairs: [...repairs, repair], deferredBy };
}

export interface PreparedRecord extends Tried {
  readonly tenant: string;
  readonly sessionId: string;
  readonly conversationId: string;
  readonly guardKey: string;
  /** Chain hash and position of the request's last entry; absent for a request without messages. */
  readonly tip?: string;
  readonly tipPosition: number;
  /** Newest view-changing event of the view it was rendered through; '' = none. */
  readonly viewId: string;
  readonly preambleDigest: string;
  readonly model: string;
  readonly route: string;
  /** Uncalibrated estimate of the whole request as sent, tokens. */
  readonly estimateTokens: number;
  /** Uncalibrated estimate of what lies after the view's watermark, tokens. */
  readonly grownTokens: number;
  /** Window the request was prepared for, tokens. */
  readonly windowTokens: number;
  /** From this size on, more is prepared in the background, tokens. Absent in ids made before this was. */
  readonly softTokens?: number;
  /** A unique part, so that two equal requests have two ids. */
  readonly nonce: string;
  /** True when nothing was stored for it (a branch, the store down, server-held state): its answer is no verdict and no anchor. */
  readonly isUnbound: boolean;
  /** Of its answer; absent where none is kept. */
  readonly stamp?: string;
}

const PREFIX = 'u1.';

const STRINGS = ['tenant', 'sessionId', 'conversationId', 'guardKey', 'viewId', 'preambleDigest', 'model', 'route', 'nonce'] as const;
const NUMBERS = ['tipPosition', 'estimateTokens', 'grownTokens', 'windowTokens', 'pass'] as const;

export function encodePreparedId(record: PreparedRecord): string {
  return PREFIX + Buffer.from(JSON.stringify(record)).toString('base64url');
}

/** Throws UllageError option_invalid for anything that is not such an id. */
export function decodePreparedId(id: string): PreparedRecord {
  try {
    if (typeof id === 'string' && id.startsWith(PREFIX)) {
      const record = JSON.parse(Buffer.from(id.slice(PREFIX.length), 'base64url').toString()) as PreparedRecord;
      if (isRecord(record)) return record;
    }
  } catch {
    // falls through to the one error below
  }
  throw new UllageError(
    'option_invalid',
    `Option id is ${JSON.stringify(String(id).slice(0, 40))}; it must be the id of a prepared request, unchanged.`,
  );
}

function isRecord(record: PreparedRecord): boolean {
  const hasTip = record.tip === undefined || typeof record.tip === 'string';
  return (
    hasTip &&
    STRINGS.every((name) => typeof record[name] === 'string') &&
    NUMBERS.every((name) => Number.isFinite(record[name])) &&
    Array.isArray(record.repairs) &&
    typeof record.isUnbound === 'boolean'
  );
}
