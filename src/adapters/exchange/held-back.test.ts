// How long a stream that only announces an answer is held back, so that an error in its place can be recovered.
import { describe, expect, it } from 'vitest';
import { eventsOf } from '../../../test/support/provider.ts';
import { grown, makeWorld } from '../../../test/support/recovery.ts';
import { manualClock } from '../../testkit/index.ts';
import type { Transport } from './exchange.ts';
import { runExchange } from './run-exchange.ts';
import { scriptedTransport, sseAnswer, textOf } from './testing/scripted-transport.ts';

const sse = (events: readonly unknown[]) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`);

describe('a stream that only announces an answer', () => {
  const api = 'openai-chat';
  const COMMENT = ': PROCESSING\n\n';
  const overflow = sse([{ error: { code: 'context_length_exceeded', message: "This model's maximum context length is 10000 tokens." } }]);
  const body = new TextEncoder().encode(JSON.stringify({ ...grown(api).ask(), stream: true, stream_options: { include_usage: true } }));

  /** A comment each second of a clock, and then these. */
  async function waited(seconds: number, chunks: readonly string[]) {
    const clock = manualClock(0);
    const session = await makeWorld({ api, clock }).open().session('k');
    const script = scriptedTransport(sseAnswer([...Array<string>(seconds).fill(COMMENT), ...chunks]), sseAnswer(sse(eventsOf(api, 9))));
    const transport: Transport = async (request) => {
      const response = await script.transport(request);
      async function* slow() {
        for await (const chunk of response.body) {
          if (script.sent.length === 1) await clock.advance(1_000);
          yield chunk;
        }
      }
      return { ...response, body: slow() };
    };
    return { ...(await runExchange({ api, kind: 'generate', body, signal: new AbortController().signal, session, transport })), script };
  }

  it('is held back for five seconds, so that an error in its place can be recovered (F22)', async () => {
    const { response, script } = await waited(3, overflow);
    expect(await textOf(response.body)).toBe(sse(eventsOf(api, 9)).join(''));
    expect(script.sent).toHaveLength(2);
  });

  it('then passes as it comes, whatever follows', async () => {
    const { response, script } = await waited(8, overflow);
    expect(script.given()).toBe(5);
    expect(await textOf(response.body)).toBe(COMMENT.repeat(8) + overflow[0]);
    expect(script.sent).toHaveLength(1);
  });
});
