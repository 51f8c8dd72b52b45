// A fetch that sends requests to model APIs through sessions, and all others on as they are.
import { type ErrorCode, UllageError } from '../../core/errors.ts';
import type { Session } from '../../engine/session.ts';
import { checkKey, type Fetch, type FetchOptions } from '../../engine/ullage.ts';
import { bodyText } from '../exchange/body-text.ts';
import type { Exchange, ExchangeResult, HeaderList, Transport } from '../exchange/exchange.ts';
import { runExchange, sendUntouched } from '../exchange/run-exchange.ts';
import { sessionKeyOf } from '../exchange/session-key.ts';
import type { OpenSessions, SessionPlace } from './open-sessions.ts';
import { readRequest } from './request.ts';
import { responseOf, upstreamResponseOf } from './response.ts';
import { type Target, targetOf } from './target.ts';

/** Throws option_invalid for a key that is none. */
export function sessionFetch(sessions: OpenSessions, key: string | undefined, options: FetchOptions = {}): Fetch {
  if (key !== undefined) checkKey(key);
  if (options.fetch !== undefined && typeof options.fetch !== 'function')
    throw new UllageError('option_invalid', `Option fetch is ${typeof options.fetch}; it must be a function.`);
  return async (input, init) => {
    const below = options.fetch ?? globalThis.fetch;
    const target = targetOf(input, init);
    const request = target && (await readRequest(input, init));
    if (!target || !request) return below(input, init);
    let last: Response | undefined;
    const transport: Transport = async ({ body, signal }) => {
      last = await below(target.url, request.with(body, signal));
      return upstreamResponseOf(last);
    };
    const { body, headers, signal = new AbortController().signal } = request;
    signal.throwIfAborted();
    const sent = { api: target.api, kind: target.kind, body, signal, transport, log: sessions.log };
    return responseOf(await exchange(sessions, sent, { key, headers, target }), last);
  };
}

interface Named {
  readonly key: string | undefined;
  readonly headers: HeaderList;
  readonly target: Target;
}

async function exchange(sessions: OpenSessions, sent: Omit<Exchange, 'session'>, { key, headers, target }: Named): Promise<ExchangeResult> {
  const { api, body } = sent;
  const text = bodyText(body);
  const sessionKey = key ?? sessionKeyOf({ api, headers, body: text ?? body }).key;
  const session = await openSafely(sessions, sessionKey, { api, route: target.url.origin });
  return typeof session === 'string' ? sendUntouched({ ...sent, sessionKey }, session) : runExchange({ ...sent, text, session });
}

/** A store that cannot be opened is no reason not to ask the model: its code is told instead. */
async function openSafely(sessions: OpenSessions, key: string, place: SessionPlace): Promise<Session | ErrorCode> {
  try {
    return await sessions.open(key, place);
  } catch (error) {
    if (UllageError.is(error) && error.code.startsWith('store_')) return error.code;
    throw error;
  }
}
