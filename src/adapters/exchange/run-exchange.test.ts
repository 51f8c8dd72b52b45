// One exchange without a socket: bytes up, bytes down, recovery, who is told what.
import { describe, expect, it } from 'vitest';
import { answerOf, eventsOf } from '../../../test/support/provider.ts';
import { grown, makeWorld } from '../../../test/support/recovery.ts';
import type { Api } from '../../core/transcript/entry.ts';
import type { Exchange } from './exchange.ts';
import { bytes, exchangeOf, hello } from './testing/scripted-exchange.ts';
import { chunksOf, jsonAnswer, scriptedTransport, sseAnswer, textOf } from './testing/scripted-transport.ts';

const APIS: readonly Api[] = ['anthropic', 'openai-chat', 'openai-responses'];

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

  it.each(['status', 'first event', 'first event behind a preface'])('recovers an overflow that comes as %s (F22, B159)', async (place) => {
    const words = { code: 'context_length_exceeded', message: "This model's maximum context length is 10000 tokens." };
    const event =
      api === 'anthropic'
        ? { type: 'error', error: { type: 'invalid_request_error', message: 'prompt is too long: 20000 tokens > 10000 maximum' } }
        : api === 'openai-chat'
          ? { error: words }
          : { type: 'response.failed', response: { error: words } };
    const preface = place.includes('behind') ? eventsOf(api, 1).slice(0, 1) : [];
    const failing = place === 'status' ? jsonAnswer({ error: words }, 400) : sseAnswer(sse([...preface, event]));
    const good = sse(eventsOf(api, 3_000));
    const script = scriptedTransport(failing, sseAnswer(good));
    const phases: string[] = [];
    const { response, report } = await exchangeOf(
      api,
      JSON.stringify({ ...grown(api).ask(), stream: true, stream_options: { include_usage: true } }),
      { script, onPhase: (phase) => void phases.push(phase) },
    );
    expect(await textOf(response.body)).toBe(good.join(''));
    expect(report).toMatchObject({ calls: 2, outcome: { status: 'compacted', triggerReason: 'provider_overflow' } });
    expect(phases).toEqual(['ours', 'upstream', 'ours', 'upstream']);
    expect(script.sent[1]!.text.length).toBeLessThan(script.sent[0]!.text.length);
  });

  it('gives back the provider’s own error, status and headers when nothing can be recovered (F22)', async () => {
    // A window so small that no compaction fits it.
    const overflow = `{ "error" : {"code":"context_length_exceeded","message":"This model's maximum context length is 50 tokens. However, your messages resulted in 20000 tokens.", "n":1.0}}\n`;
    const script = scriptedTransport(
      jsonAnswer(overflow, 400, [
        ['x-request-id', 'r1'],
        ['set-cookie', 'a'],
        ['set-cookie', 'b'],
      ]),
    );
    const { response, report } = await exchangeOf(api, JSON.stringify(grown(api).ask()), { script });
    expect(response.status).toBe(400);
    expect(response.headers.filter(([name]) => name !== 'content-type')).toEqual([
      ['x-request-id', 'r1'],
      ['set-cookie', 'a'],
      ['set-cookie', 'b'],
    ]);
    expect(await textOf(response.body)).toBe(overflow);
    expect(report.calls).toBe(script.sent.length);
    expect(new Set(script.sent.map(({ text }) => text)).size).toBe(script.sent.length);
  });

  it.each([401, 403, 404, 409, 429, 500, 503, 529])('asks once and passes %i on as it came, however long it is', async (status) => {
    const chunks = ['<html>', 'x'.repeat(1_500_000), 'é</html>'];
    const script = scriptedTransport({ status, headers: [['content-type', 'text/html']], chunks });
    const { response } = await exchangeOf(api, hello(api), { script });
    expect(response.status).toBe(status);
    expect(await textOf(response.body)).toBe(chunks.join(''));
    expect(script.sent).toHaveLength(1);
  });

  it('an error in the middle of a stream, and one of the network, are passed on as they come (F22)', async () => {
    const cut = new Error('socket hang up');
    const [first, second, third] = sse(eventsOf(api, 1));
    const failed = sse([{ type: 'error', error: { type: 'overloaded_error' } }])[0]!;
    const begun = api === 'openai-responses' ? [first!, second!] : [first!, second!, third!];
    const script = scriptedTransport(sseAnswer([...begun, failed, cut]));
    const { response } = await exchangeOf(api, hello(api, { stream: true, stream_options: { include_usage: true } }), { script });
    const got: string[] = [];
    const reading = (async () => {
      for await (const chunk of response.body) got.push(new TextDecoder().decode(chunk));
    })();
    await expect(reading).rejects.toBe(cut);
    expect(got).toEqual([...begun, failed]);
    expect(script.sent).toHaveLength(1);
  });

  it('what the network throws before an answer is thrown, unchanged', async () => {
    const fault = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    await expect(exchangeOf(api, hello(api), { script: scriptedTransport(fault) })).rejects.toBe(fault);
  });

  it('asks for a chunk when one is asked for, and ends the upstream when the caller leaves', async () => {
    const events = sse(eventsOf(api, 1));
    const script = scriptedTransport(sseAnswer([...events, ...events, ...events]));
    const { response } = await exchangeOf(api, hello(api, { stream: true, stream_options: { include_usage: true } }), { script });
    const held = script.given();
    expect(held).toBeLessThanOrEqual(3);
    const reader = response.body[Symbol.asyncIterator]();
    for (let read = 0; read < held; read++) await reader.next();
    expect(script.given()).toBe(held);
    await reader.next();
    expect(script.given()).toBe(held + 1);
    await reader.return!();
    expect(script.closedEarly()).toBe(1);
    expect(script.sent[0]!.signal.aborted).toBe(true);
  });

  it('a caller who leaves while a chunk is waited for, or before the first, ends the upstream too', async () => {
    const events = sse(eventsOf(api, 1)).slice(0, 3);
    for (const waits of [true, false]) {
      const script = scriptedTransport(sseAnswer([...events.slice(0, api === 'openai-responses' ? 2 : 3), 'wait']));
      const { response } = await exchangeOf(api, hello(api, { stream: true, stream_options: { include_usage: true } }), { script });
      const reader = response.body[Symbol.asyncIterator]();
      const waiting: Promise<unknown>[] = [];
      if (waits) for (let read = 0; read < 4; read++) waiting.push(reader.next().catch(() => 'ended'));
      await reader.return!();
      await Promise.all(waiting);
      expect(script.sent[0]!.signal.aborted).toBe(true);
    }
  });

  it('an abort reaches the upstream and is what is thrown', async () => {
    const controller = new AbortController();
    const script = scriptedTransport(sseAnswer(['wait']));
    const exchange = exchangeOf(api, hello(api, { stream: true }), {
      script,
      signal: controller.signal,
      onPhase: (phase) => phase === 'upstream' && queueMicrotask(() => controller.abort()),
    });
    await expect(exchange).rejects.toMatchObject({ name: 'AbortError' });
    expect(script.sent).toHaveLength(1);
  });

  it('holds the caller’s signal no longer than the answer lasts', async () => {
    const controller = new AbortController();
    let listeners = 0;
    const { signal } = controller;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    Object.assign(signal, {
      addEventListener: (...given: Parameters<typeof add>) => {
        listeners++;
        add(...given);
      },
      removeEventListener: (...given: Parameters<typeof remove>) => {
        listeners--;
        remove(...given);
      },
    });
    const script = scriptedTransport(jsonAnswer(answerOf(api, 5)), sseAnswer(sse(eventsOf(api, 5))), new Error('down'));
    const session = await makeWorld({ api }).open().session('k');
    for (const more of [{}, { stream: true }])
      await textOf((await exchangeOf(api, hello(api, more), { script, signal, session })).response.body);
    await exchangeOf(api, hello(api), { script, signal, session }).catch(() => {});
    expect(listeners).toBe(0);
  });

  it('reads usage of whole answers and of streams; the next size is the provider’s own (F05)', async () => {
    const session = await makeWorld({ api }).open().session('k');
    for (const [tokens, script, more] of [
      [321, scriptedTransport(jsonAnswer(answerOf(api, 321))), {}],
      [322, scriptedTransport(sseAnswer(sse(eventsOf(api, 322)))), { stream: true }],
    ] as const) {
      await textOf((await exchangeOf(api, hello(api, more), { script, session })).response.body);
      expect((await session.prepare(hello(api))).context).toEqual({ kind: 'measured', tokens });
    }
  });

  it('counts through the committed view, stores nothing and passes the answer on (F02)', async () => {
    const world = makeWorld({ api });
    const session = await world.open().session('k');
    const conversation = grown(api, 30);
    const text = JSON.stringify(conversation.ask());
    const outcome = (await runWith(session, text)).report.outcome;
    expect(outcome?.status).toBe('compacted');
    const before = JSON.stringify([await session.outcomes(), await session.guard(), await session.export()]);
    const script = scriptedTransport(jsonAnswer('{ "input_tokens": 12.0 }'));
    const { response, report } = await exchangeOf(api, text, { script, session, kind: 'count-tokens' });
    expect(await textOf(response.body)).toBe('{ "input_tokens": 12.0 }');
    expect(script.sent[0]!.text.length).toBeLessThan(text.length);
    expect(report).toMatchObject({ calls: 1, sessionKey: 'k' });
    expect(report.contextTokens).toBeLessThan(outcome!.oldRequestTokens);
    expect(JSON.stringify([await session.outcomes(), await session.guard(), await session.export()])).toBe(before);
  });

  async function runWith(session: Exchange['session'], text: string) {
    return exchangeOf(api, text, { script: scriptedTransport(jsonAnswer(answerOf(api, 20_000))), session });
  }
});

describe('usage in chat streams', () => {
  const api = 'openai-chat';
  const chunks = sse(eventsOf(api, 321));

  it.each([
    [
      'absent',
      '{"stream" : true,"model":"m","messages":[{"role":"user","content":"hi"}]}',
      '{"stream" : true,"stream_options":{"include_usage":true},"model":"m","messages":[{"role":"user","content":"hi"}]}',
    ],
    [
      'null',
      '{"model":"m","messages":[{"role":"user","content":"hi"}],"stream":true,"stream_options": null }',
      '{"model":"m","messages":[{"role":"user","content":"hi"}],"stream":true,"stream_options": {"include_usage":true} }',
    ],
    [
      'empty',
      '{"stream_options": { },"stream":true,"model":"m","messages":[{"role":"user","content":"hi"}]}',
      '{"stream_options": {"include_usage":true },"stream":true,"model":"m","messages":[{"role":"user","content":"hi"}]}',
    ],
    [
      'something else',
      '{"stream_options": {"x":1e2},"stream":true,"model":"m","messages":[{"role":"user","content":"hi"}]}',
      '{"stream_options": {"include_usage":true,"x":1e2},"stream":true,"model":"m","messages":[{"role":"user","content":"hi"}]}',
    ],
    [
      'false',
      '{"stream_options":{"include_usage":false},"stream":true,"model":"m","messages":[{"role":"user","content":"hi"}]}',
      '{"stream_options":{"include_usage":true},"stream":true,"model":"m","messages":[{"role":"user","content":"hi"}]}',
    ],
    [
      'absent behind letters of several bytes',
      '{"model":"é","messages":[{"role":"user","content":"ñ 你好 😀"}],"stream":true,"user":"ü"}',
      '{"model":"é","messages":[{"role":"user","content":"ñ 你好 😀"}],"stream":true,"stream_options":{"include_usage":true},"user":"ü"}',
    ],
    [
      'false before letters of several bytes',
      '{"user":"ü","stream_options":{"include_usage":false},"stream":true,"model":"m","messages":[{"role":"user","content":"ñ 你好 😀"}]}',
      '{"user":"ü","stream_options":{"include_usage":true},"stream":true,"model":"m","messages":[{"role":"user","content":"ñ 你好 😀"}]}',
    ],
  ])('is asked for where it is %s, by one member in the caller’s bytes, and kept from the caller (F05)', async (_, body, asked) => {
    const script = scriptedTransport(sseAnswer([...chunks, 'data: [DONE]\n\n']));
    const { response } = await exchangeOf(api, body, { script });
    expect(script.sent[0]!.text).toBe(asked);
    expect(await textOf(response.body)).toBe([...chunks.slice(0, -1), 'data: [DONE]\n\n'].join(''));
  });

  it.each([
    '{"stream":true,"stream_options":{"include_usage":true},"model":"m","messages":[{"role":"user","content":"hi"}]}',
    '{"stream":false,"model":"m","messages":[{"role":"user","content":"hi"}]}',
    '{"model":"m","messages":[{"role":"user","content":"say \\"stream\\":true"}]}',
    '{"stream":true,"stream_options":7,"model":"m","messages":[{"role":"user","content":"hi"}]}',
  ])('is left to a caller who asks, or does not stream: %s', async (body) => {
    const script = scriptedTransport(sseAnswer(chunks));
    const { response } = await exchangeOf(api, body, { script });
    expect(script.sent[0]!.text).toBe(body);
    expect(await textOf(response.body)).toBe(chunks.join(''));
  });
});
