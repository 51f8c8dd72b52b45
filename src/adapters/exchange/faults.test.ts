// What an exchange must not do: tell of waiting that is over, promise a length that is no longer true, lose or hold bytes, store what it does not keep.
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
const streaming = (api: Api, more: object = {}) => JSON.stringify({ ...bodyOf(api, encodeAsk(api, 'hi')), stream: true, ...more });
const sse = (events: readonly unknown[]) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`);

async function run(api: Api, body: string, script: ScriptedTransport, more: Partial<Exchange> = {}) {
  const session = more.session ?? (await makeWorld({ api }).open().session('k'));
  const { signal } = new AbortController();
  return runExchange({ api, kind: 'generate', body: bytes(body), signal, transport: script.transport, ...more, session });
}

describe.each(APIS)('%s', (api) => {
  it('an error after content is no wait of ours: nobody is told of one (F22)', async () => {
    const phases: string[] = [];
    const script = scriptedTransport(
      sseAnswer([...sse(eventsOf(api, 5)), ...sse([{ type: 'error', error: { type: 'overloaded_error' } }])]),
    );
    const { response } = await run(api, streaming(api), script, { onPhase: (phase) => void phases.push(phase) });
    await textOf(response.body);
    expect(phases).toEqual(['ours', 'upstream']);
  });

  it('what is not kept makes no session: no JSON, another API, nothing said, a count (F24)', async () => {
    const world = makeWorld({ api });
    const answer = () => scriptedTransport(jsonAnswer(answerOf(api, 5)));
    const key = api === 'openai-responses' ? 'input' : 'messages';
    for (const body of [
      '{',
      '{"hello":1}',
      `{"model":"m","${key}":[]}`,
      '{"model":"m","input":"hi","messages":[{"role":"user","content":"hi"}],"conversation":"c"}',
    ])
      await run(api, body, answer(), { session: await world.open().session('none') });
    await run(api, streaming(api), answer(), { session: await world.open().session('count'), kind: 'count-tokens' });
    expect(await world.store.listSessions({ tenant: 'local' })).toEqual([]);
    await run(api, streaming(api), answer(), { session: await world.open().session('kept') });
    expect((await world.store.listSessions({ tenant: 'local' })).map((row) => row.key)).toEqual(['kept']);
  });
});

describe('usage that we asked for', () => {
  const api = 'openai-chat';
  const events = sse(eventsOf(api, 321));
  const withoutUsage = events.slice(0, -1).join('');

  it('a stream with a length has another one when its usage chunk is kept back, and its own when it is not', async () => {
    const whole = events.join('');
    const answer = {
      headers: [
        ['content-type', 'text/event-stream'],
        ['content-length', String(whole.length)],
      ] as const,
      chunks: [whole],
    };
    const cut = await run(api, streaming(api), scriptedTransport(answer));
    expect(cut.response.headers.map(([name]) => name)).toEqual(['content-type']);
    expect(await textOf(cut.response.body)).toBe(withoutUsage);
    const asked = await run(api, streaming(api, { stream_options: { include_usage: true } }), scriptedTransport(answer));
    expect(asked.response.headers).toContainEqual(['content-length', String(whole.length)]);
  });

  it.each(['1', '"true"', '"yes"', '{}'])('is none when the caller wrote %s: lenient servers take it as asked', async (value) => {
    const body = `{"stream":true,"stream_options":{"include_usage":${value}},"model":"m","messages":[{"role":"user","content":"hi"}]}`;
    const script = scriptedTransport(sseAnswer(events));
    const { response } = await run(api, body, script);
    expect(script.sent[0]!.text).toBe(body);
    expect(await textOf(response.body)).toBe(events.join(''));
  });

  it('a server that refuses the member is asked once more without it, and from then on without it', async () => {
    const body = '{"stream":true,"model":"m","messages":[{"role":"user","content":"hi"}]}';
    const session = await makeWorld({ api }).open().session('k');
    const script = scriptedTransport(jsonAnswer({ error: { message: "Unknown parameter: 'stream_options'." } }, 400), sseAnswer(events));
    const { response, report } = await run(api, body, script, { session });
    expect(script.sent.map(({ text }) => text.includes('stream_options'))).toEqual([true, false]);
    expect(await textOf(response.body)).toBe(events.join(''));
    expect(report.calls).toBe(2);
    await run(api, body, script, { session });
    expect(script.sent.slice(2).map((sent) => sent.text)).toEqual([body]);
  });

  it('an event kept back when the connection breaks comes before the error', async () => {
    const cut = new Error('socket hang up');
    const finish = sse([{ choices: [{ delta: {}, finish_reason: 'stop' }] }])[0]!;
    const half = 'data: {"choices":[{"index":1,"delta":{"content":"lo"}}]}\n';
    const { response } = await run(api, streaming(api), scriptedTransport(sseAnswer([events[1]!, finish, half, cut])));
    const got: string[] = [];
    const reading = (async () => {
      for await (const chunk of response.body) got.push(new TextDecoder().decode(chunk));
    })();
    await expect(reading).rejects.toBe(cut);
    expect(got.join('')).toBe(events[1]! + finish + half);
  });
});

describe('a last event without its blank line', () => {
  it.each(['', '\n', '\r\n', '\r'])('is read, and passes byte for byte (line end %j)', async (end) => {
    const api = 'openai-chat';
    const session = await makeWorld({ api }).open().session('k');
    const whole = sse(eventsOf(api, 321)).join('').slice(0, -2) + end;
    const body = streaming(api, { stream_options: { include_usage: true } });
    const { response } = await run(api, body, scriptedTransport(sseAnswer([whole])), { session });
    expect(await textOf(response.body)).toBe(whole);
    expect((await session.prepare(body)).context).toEqual({ kind: 'measured', tokens: 321 });
  });

  it('is kept back where it is the usage that we asked for', async () => {
    const api = 'openai-chat';
    const events = sse(eventsOf(api, 321));
    const { response } = await run(api, streaming(api), scriptedTransport(sseAnswer([events.join('').slice(0, -2)])));
    expect(await textOf(response.body)).toBe(events.slice(0, -1).join(''));
  });

  it('is recovered where it is an overflow (F22, B159)', async () => {
    const api = 'anthropic';
    const overflow = {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 20000 tokens > 10000 maximum' },
    };
    const good = sse(eventsOf(api, 3_000));
    const script = scriptedTransport(sseAnswer([sse([overflow])[0]!.trimEnd()]), sseAnswer(good));
    const { response } = await run(api, JSON.stringify({ ...grown(api).ask(), stream: true }), script);
    expect(await textOf(response.body)).toBe(good.join(''));
  });
});

describe('odd streams', () => {
  it('an empty chunk, a lone byte order mark and bytes behind [DONE] pass', async () => {
    const api = 'openai-chat';
    const events = sse(eventsOf(api, 5));
    const chunks = ['\ufeff', ...events, 'data: [DONE]\n\n', ': bye\n\n', 'data: {"late":true}\n\n'];
    const { response } = await run(api, streaming(api), scriptedTransport(sseAnswer(chunks)));
    expect(await textOf(response.body)).toBe(chunks.join('').replace(events.at(-1)!, ''));
  });

  it('single bytes behind the finish reason pass in linear time', async () => {
    const api = 'openai-chat';
    const finish = sse([{ choices: [{ delta: {}, finish_reason: 'stop' }] }])[0]!;
    const letters = Array.from({ length: 60_000 }, () => bytes('x'));
    const { response } = await run(api, streaming(api), scriptedTransport(sseAnswer([finish, 'data: "', ...letters, '"\n\n'])));
    expect(Buffer.concat(await chunksOf(response.body)).length).toBe(finish.length + 60_000 + 10);
  });
});
