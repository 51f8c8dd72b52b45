// `prepared.id` holds all that observing its answer needs, so any process can do it, also after a restart.
import { UllageError } from '../core/errors.ts';

export interface PreparedRecord {
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
  /** Recovery passes already spent on this request. */
  readonly pass: number;
  /** A unique part, so that two equal requests have two ids. */
  readonly nonce: string;
  /** True when nothing was stored for it (a branch, the store down, server-held state): its answer is no verdict and no anchor. */
  readonly isUnbound: boolean;
}

const PREFIX = 'u1.';

export function encodePreparedId(record: PreparedRecord): string {
  return PREFIX + Buffer.from(JSON.stringify(record)).toString('base64url');
}

/** Throws UllageError option_invalid for anything that is not such an id. */
export function decodePreparedId(id: string): PreparedRecord {
  try {
    if (typeof id === 'string' && id.startsWith(PREFIX)) {
      const record = JSON.parse(Buffer.from(id.slice(PREFIX.length), 'base64url').toString()) as PreparedRecord;
      if (typeof record.conversationId === 'string' && typeof record.estimateTokens === 'number') return record;
    }
  } catch {
    // falls through to the one error below
  }
  throw new UllageError(
    'option_invalid',
    `Option id is ${JSON.stringify(String(id).slice(0, 40))}; it must be the id of a prepared request, unchanged.`,
  );
}
