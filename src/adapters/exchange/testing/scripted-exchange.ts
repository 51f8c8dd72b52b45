// One exchange over a scripted transport, in a session of its own unless another is given.
import { bodyOf, encodeAsk } from '../../../../test/support/conversation.ts';
import { makeWorld } from '../../../../test/support/recovery.ts';
import type { Api } from '../../../core/transcript/entry.ts';
import type { Exchange, ExchangeResult } from '../exchange.ts';
import { runExchange } from '../run-exchange.ts';
import type { ScriptedTransport } from './scripted-transport.ts';

export const bytes = (text: string) => new TextEncoder().encode(text);

export const hello = (api: Api, more: object = {}) => JSON.stringify({ ...bodyOf(api, encodeAsk(api, 'hi')), ...more });

export async function exchangeOf(
  api: Api,
  body: string | Uint8Array,
  given: Partial<Exchange> & { readonly script: ScriptedTransport },
): Promise<ExchangeResult> {
  const { script, ...more } = given;
  const session = more.session ?? (await makeWorld({ api }).open().session('k'));
  const sent = typeof body === 'string' ? bytes(body) : body;
  const { signal } = new AbortController();
  return runExchange({ api, kind: 'generate', body: sent, signal, transport: script.transport, ...more, session });
}
