// One exchange without a socket: bytes up, bytes down, recovery, what is left alone, who is told what.
import { describe, expect, it } from 'vitest';
import { bodyOf, encodeAsk } from '../../../test/support/conversation.ts';
import { answerOf, eventsOf } from '../../../test/support/provider.ts';
import { grown, makeWorld } from '../../../test/support/recovery.ts';
import type { Api } from '../../core/transcript/entry.ts';
import type { Exchange } from './exchange.ts';
import { runExchange } from './run-exchange.ts';
import { chunksOf, jsonAnswer, type ScriptedTransport, scriptedTransport, sseAnswer, textOf } from './testing/scripted-transport.ts';

const APIS: readonly Api[] = ['anthropic', 'openai-chat', 'openai-responses'];
const bytes = (text: string) => new TextEncoder().encode(text);
const hello = (api: Api, more: object = {}) => JSON.stringify({ ...bodyOf(api, encodeAsk(api, 'hi')), ...more });

async function exchangeOf(api: Api, body: string | Uint8Array, given: Partial<Exchange> & { readonly script: ScriptedTransport }) {
  const { script, ...more } = given;
  const session = more.session ?? (await makeWorld({ api }).open().session('k'));
  const sent = typeof body === 'string' ? bytes(body) : body;
  const { signal } = new AbortController();
  return runExchange({ api, kind: 'generate', body: sent, signal, transport: script.transport, ...more, session });
}

function sse(events: readonly unknown[]): string[] {
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`);
}

describe.each(APIS)('an exchange in %s', (api) => {
  it('sends the bytes it was given and gives back status, headers and bytes', async () => {
    const script = scriptedTransport(jsonAnswer(answerOf(api, 321), 200, [['x-request-id', 'r1']]));
    const body = hello(api);
    const { response, report } = await exchangeOf(api, body, { script });
    expect(script.sent[0]!.text).toBe(body);
    expect(response.status).toBe(200);
    expect(response.headers).toContainEqual(['x-request-id', 'r1']);
    expect(await textOf(response.body)).toBe(JSON.stringify(answerOf(api, 321)));
    expect(report).toMatchObject({ sessionKey: 'k', calls: 1 });
    expect(report.contextTokens).toBeGreaterThan(0);
    expect(report.leftAlone).toBeUndefined();
  });

  it('passes the chunks of a stream in the order and size they come', async () => {
    const chunks = sse(eventsOf(api, 321)).map(bytes);
    const script = scriptedTransport(sseAnswer(chunks));
    const { response } = await exchangeOf(api, hello(api, { stream: true, stream_options: { include_usage: true } }), { script });
    expect(await chunksOf(response.body)).toEqual(chunks);
  });

  it('recovers an overflow that comes as a status, and says so (F22)', async () => {
    const overflow = { error: { code: 'context_length_exceeded', message: "This model's maximum context length is 10000 tokens." } };
    const script = scriptedTransport(jsonAnswer(overflow, 400), jsonAnswer(answerOf(api, 4_000)));
    const { response, report } = await exchangeOf(api, JSON.stringify(grown(api).ask()), { script });
    expect(response.status).toBe(200);
    expect(report.calls).toBe(2);
    expect(report.outcome?.status).toBe('compacted');
    expect(script.sent[1]!.text.length).toBeLessThan(script.sent[0]!.text.length);
  });
});
