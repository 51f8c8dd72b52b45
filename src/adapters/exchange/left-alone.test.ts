// What an exchange does not touch: another API, broken bodies, state of the server, encoded answers, a store that fails.
import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { answerOf } from '../../../test/support/provider.ts';
import { makeWorld } from '../../../test/support/recovery.ts';
import { UllageError } from '../../core/errors.ts';
import type { Api } from '../../core/transcript/entry.ts';
import { memoryStore } from '../../testkit/index.ts';
import { exchangeOf, hello } from './testing/scripted-exchange.ts';
import { chunksOf, jsonAnswer, scriptedTransport } from './testing/scripted-transport.ts';

describe('what is left alone', () => {
  const cases: readonly (readonly [string, Api, string | Uint8Array])[] = [
    ['empty', 'anthropic', ''],
    ['not_utf8', 'anthropic', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d])],
    ['not_json', 'anthropic', '{"messages":[}'],
    ['not_json', 'openai-chat', '\ufeff{"messages":[{"role":"user","content":"hi"}]}'],
    ['not_this_api', 'openai-chat', '[1,2]'],
    ['not_this_api', 'anthropic', '{"messages":["hi"]}'],
    ['not_this_api', 'openai-chat', '['.repeat(5_000_000)],
    ['no_messages', 'openai-chat', '{"model":"m","messages":[]}'],
    ['previous_response_id', 'openai-responses', '{"model":"m","input":"hi","previous_response_id":"r1"}'],
    ['conversation', 'openai-responses', '{"model":"m","input":"hi","conversation":"c1"}'],
    ['thread', 'anthropic', '{"model":"m","messages":[{"role":"user","content":"hi"}],"thread":{"type":"create"}}'],
    [
      'compact_20260112',
      'anthropic',
      '{"model":"m","messages":[{"role":"user","content":"hi"}],"context_management":{"edits":[{"type":"compact_20260112"}]}}',
    ],
    ['compaction', 'anthropic', '{"model":"m","messages":[{"role":"user","content":"hi"}],"compaction":{"type":"summarize"}}'],
  ];

  it('a fault of ours goes out as it came, says so, and is logged', async () => {
    const broken = () => Promise.reject(new TypeError('of ours'));
    const world = makeWorld({ api: 'anthropic', store: { ...memoryStore(), locate: broken, followRequest: broken } });
    const session = await world.open().session('k');
    const log = { write: vi.fn() };
    const script = scriptedTransport(jsonAnswer(answerOf('anthropic', 9)));
    const { report } = await exchangeOf('anthropic', hello('anthropic'), { script, session, log });
    expect(report).toMatchObject({ leftAlone: 'internal', calls: 1 });
    expect(log.write.mock.calls).toEqual([['error', expect.any(String), { error: expect.stringContaining('TypeError: of ours') }]]);
  });

  it.each(cases)('%.20s in %s goes out byte for byte, and says so', async (rule, api, body) => {
    const script = scriptedTransport(jsonAnswer({ error: { message: 'as you like' } }, 400));
    const { response, report } = await exchangeOf(api, body, { script });
    expect(Buffer.from(script.sent[0]!.body).equals(typeof body === 'string' ? Buffer.from(body) : body)).toBe(true);
    expect(response.status).toBe(400);
    expect(report).toMatchObject({ leftAlone: rule, calls: 1 });
  });

  it('thinking and tool results that the provider clears are no reason to stand back (F29)', async () => {
    const management = { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }, { type: 'clear_tool_uses_20250919' }] };
    const script = scriptedTransport(jsonAnswer(answerOf('anthropic', 9)));
    const { report } = await exchangeOf('anthropic', hello('anthropic', { context_management: management }), { script });
    expect(report.leftAlone).toBeUndefined();
  });

  it.each(['generate', 'count-tokens'] as const)('a store that fails: %s goes out as it came, and says so (F24)', async (kind) => {
    const down = () => Promise.reject(new UllageError('store_unavailable', 'The disk is full.'));
    const store = { ...memoryStore(), locate: down, followRequest: down };
    const session = await makeWorld({ api: 'anthropic', store }).open().session('k');
    const script = scriptedTransport(jsonAnswer(answerOf('anthropic', 9)));
    const body = hello('anthropic');
    const { response, report } = await exchangeOf('anthropic', body, { script, session, kind });
    expect(script.sent[0]!.text).toBe(body);
    expect(response.status).toBe(200);
    expect(report.leftAlone).toBe('store_unavailable');
  });

  it('an answer that is still encoded passes unread', async () => {
    const packed = gzipSync(JSON.stringify(answerOf('anthropic', 9)));
    const script = scriptedTransport({
      headers: [
        ['content-type', 'application/json'],
        ['content-encoding', 'gzip'],
      ],
      chunks: [packed],
    });
    const { response } = await exchangeOf('anthropic', hello('anthropic'), { script });
    expect(Buffer.concat(await chunksOf(response.body)).equals(packed)).toBe(true);
    expect(response.headers).toContainEqual(['content-encoding', 'gzip']);
  });
});
