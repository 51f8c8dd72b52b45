// What a handler of our own API is given.
import type { Context, Env } from 'hono';
import { UllageError } from '../../../core/errors.ts';
import type { Store } from '../../../ports/store.ts';
import { GatewayFault } from '../fault.ts';
import type { CompactionEvents } from '../sessions/compaction-events.ts';
import type { KnownSession, SessionPool } from '../sessions/session-pool.ts';

export interface OwnEnv extends Env {
  readonly Bindings: { readonly tenant: string };
}

export interface OwnApiContext {
  readonly store: Store;
  readonly pool: SessionPool;
  readonly events: CompactionEvents;
  /** Ends live events when the gateway does. */
  readonly closing: AbortSignal;
}

/** The session that the path names. Throws session_not_found. */
export function sessionOf(api: OwnApiContext, c: Context<OwnEnv>): Promise<KnownSession> {
  return api.pool.find(c.env.tenant, c.req.param('key') ?? '');
}

const MOST_BODY_BYTES = 1024 * 1024;

/** The JSON body, `{}` when there is none. Another content type is refused: a page of the web can send those unasked. */
export async function jsonBody(c: Context<OwnEnv>): Promise<unknown> {
  const type = c.req.header('content-type') ?? '';
  if (!/^application\/json(?:\s*;|\s*$)/i.test(type)) {
    throw new GatewayFault('json_required', {
      status: 415,
      message: `the content type is ${JSON.stringify(type.slice(0, 100))}; this API takes application/json.`,
      hint: 'Send the header content-type: application/json, and {} when there is nothing to say.',
    });
  }
  const text = await limitedText(c.req.raw.body);
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UllageError('option_invalid', 'The body is not JSON.', { cause });
  }
}

async function limitedText(body: ReadableStream<Uint8Array> | null): Promise<string> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > MOST_BODY_BYTES)
      throw new UllageError('input_too_large', `The body is larger than ${MOST_BODY_BYTES} bytes, the limit of this API.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
