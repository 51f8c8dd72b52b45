// The fetch that the SDK is given: each of its requests goes through `session.send`, which prepares it, and observes or recovers.
import type { Prepared, Session } from '../../../index.ts';
import { EventStream } from './event-stream.ts';
import type { Endpoint, Fetch } from './language-model.ts';
import { ProviderFailure } from './provider-failure.ts';
import { withHistory } from './wire-history.ts';

export interface SessionFetchOptions {
  readonly session: Session;
  readonly endpoint: Pick<Endpoint, 'api' | 'promptCache'>;
  /** Closed turns, as members of the list of messages. */
  readonly history: string;
  /** Told before each request goes out, retries included. */
  readonly onPrepared: (prepared: Prepared) => void;
  /** Pins that were asked for before there was a conversation to pin them to. */
  readonly wantedPins: readonly string[];
}

export function sessionFetch(options: SessionFetchOptions): Fetch {
  const { session, endpoint, history, onPrepared } = options;
  return async (url, init = {}) => {
    const body = withHistory(endpoint, init.body as string, history);
    const signal = init.signal ?? undefined;
    await pinWanted(options, body);
    try {
      const call = async (text: string, { prepared }: { readonly prepared: Prepared }): Promise<unknown> => {
        onPrepared(prepared);
        return read(await fetch(url, { ...init, body: text }));
      };
      const answer = await session.send(body, call, { signal });
      return answer instanceof EventStream ? answer.toResponse() : Response.json(answer);
    } catch (error) {
      if (error instanceof ProviderFailure) return error.toResponse();
      throw error;
    }
  };
}

/** A conversation exists from its first prepared request on; the one that is sent then has the pins. */
async function pinWanted({ session, wantedPins }: SessionFetchOptions, body: string): Promise<void> {
  if (wantedPins.length === 0) return;
  await session.prepare(body);
  for (const text of wantedPins) await session.pin(text);
}

async function read(response: Response): Promise<unknown> {
  if (!response.ok) throw new ProviderFailure(response, await response.text());
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (isStream && response.body !== null) return new EventStream(response.body);
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    // A page of a proxy, say: not what was asked for.
    throw new ProviderFailure(new Response(text, { status: 502, headers: response.headers }), text);
  }
}
