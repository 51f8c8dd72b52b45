// The bytes of a request: its own where nothing had to change, and its own around what was folded.
import { describe, expect, it } from 'vitest';
import { encodeAnswer, encodeAsk } from '../../../test/support/conversation.ts';
import { answerOf } from '../../../test/support/provider.ts';
import { grown, makeWorld } from '../../../test/support/recovery.ts';
import type { Api } from '../../core/transcript/entry.ts';
import { exchangeOf } from './testing/scripted-exchange.ts';
import { jsonAnswer, scriptedTransport } from './testing/scripted-transport.ts';

const APIS: readonly Api[] = ['anthropic', 'openai-chat', 'openai-responses'];

describe.each(APIS)('bytes of %s', (api) => {
  /** Numbers, escapes, order and white space as no serialiser would write them. */
  const odd = (messages: readonly object[]) => {
    const key = api === 'openai-responses' ? 'input' : 'messages';
    const list = messages
      .map((message) => `\n  ${JSON.stringify(message).replaceAll('":"', '" : "').replaceAll('Ask', '\\u0041sk')}`)
      .join(' ,');
    return `\t{ "temperature":1.0,"top_p" : 1e2, "seed":12345678901234567890, "${key}" : [${list} ]\r\n, "model":"m\\u006d" , "metadata":{"b":"\\/","a":-0.0}, "x":"📥\\ud83d\\udce5"}\n`;
  };

  it('arrive as they were sent where nothing had to change (F33)', async () => {
    const script = scriptedTransport(jsonAnswer(answerOf(api, 9)));
    const body = odd(grown(api, 2).messages);
    await exchangeOf(api, body, { script });
    expect(script.sent[0]!.text).toBe(body);
  });

  it('outside of what was folded are the caller’s own, and the prefix stays the same from turn to turn (F33)', async () => {
    const session = await makeWorld({ api }).open().session('k');
    const conversation = grown(api, 30);
    const script = scriptedTransport(jsonAnswer(answerOf(api, 9_000)));
    const sent: string[] = [];
    for (let turn = 0; turn < 3; turn++) {
      const body = odd([...conversation.messages, ...encodeAsk(api, `Ask more ${turn}`)]);
      const { report } = await exchangeOf(api, body, { script, session });
      expect(report.outcome?.status).toBe(turn === 0 ? 'compacted' : undefined);
      const text = script.sent.at(-1)!.text;
      const lead = body.slice(0, body.indexOf('[') + 1);
      const trail = body.slice(body.lastIndexOf(' ]\r\n'));
      expect(text.startsWith(lead)).toBe(true);
      expect(text.endsWith(trail)).toBe(true);
      const lastAsk = body.slice(body.lastIndexOf('\n  {'), body.lastIndexOf(' ]\r\n'));
      expect(text).toContain(lastAsk.trim());
      sent.push(text.slice(0, text.lastIndexOf(lastAsk.trim())));
      conversation.messages.push(...encodeAsk(api, `Ask more ${turn}`), ...encodeAnswer(api, 'Well.'));
    }
    expect(sent[1]!.startsWith(sent[0]!)).toBe(true);
    expect(sent[2]!.startsWith(sent[1]!)).toBe(true);
  });
});
