// Sessions behind a gateway: what is folded, what the provider sees of it, what a client is told, and our own API on top.
import http from 'node:http';
import { describe, expect, test } from 'vitest';
import type { Gateway } from '../../src/apps/gateway/gateway.ts';
import type { Api } from '../../src/core/transcript/entry.ts';
import type { StrictProvider } from '../../src/testkit/index.ts';
import { encodeTurn, makeTurn } from '../support/conversation.ts';
import { seededRandom } from '../support/random.ts';
import { get, post, type Sent, send, useWorld } from './world.ts';

const world = useWorld();

const WINDOW = 20_000;
const PATHS: Readonly<Record<Api, string>> = {
  anthropic: '/v1/messages',
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
};
const APIS = Object.keys(PATHS) as Api[];

/** Requests of a growing conversation: the full history each time, a tool call in most turns. */
function* growing(api: Api, turns: number, isStream = false): Generator<Record<string, unknown>> {
  const random = seededRandom(7);
  const messages: object[] = [];
  const tools =
    api === 'anthropic'
      ? [{ name: 'read', input_schema: { type: 'object' } }]
      : api === 'openai-chat'
        ? [{ type: 'function', function: { name: 'read', parameters: { type: 'object' } } }]
        : [{ type: 'function', name: 'read', parameters: { type: 'object' } }];
  for (let number = 0; number < turns; number++) {
    const turn = encodeTurn(api, makeTurn(random, number, { steps: 2, resultWords: 400 }));
    messages.push(turn[0]!);
    const common = { model: 'test-model', tools, stream: isStream };
    if (api === 'openai-responses') yield { ...common, input: [...messages] };
    else yield { ...common, ...(api === 'anthropic' ? { max_tokens: 500 } : {}), messages: [...messages] };
    messages.push(...turn.slice(1));
  }
}

async function play(gateway: Gateway, api: Api, options: { turns: number; key?: string; isStream?: boolean }): Promise<Sent[]> {
  const answers: Sent[] = [];
  for (const body of growing(api, options.turns, options.isStream))
    answers.push(await post(gateway, `/s/${options.key ?? 'grow'}${PATHS[api]}`, body));
  return answers;
}

const sizesOf = (provider: StrictProvider) => provider.requests.map(({ tokens }) => tokens);

describe.each(APIS)('%s', (api) => {
  test.each([false, true])(
    'F02 F05 F07 F10 F14 F19 a conversation that outgrows the window never does upstream (streamed: %s)',
    async (isStream) => {
      const provider = await world.provider({ window: WINDOW, models: { 'test-model': {} } });
      const { gateway, lines } = await world.start(provider.url, { models: { window: WINDOW, maxOutputTokens: 1_000 } });
      const answers = await play(gateway, api, { turns: 20, isStream });
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      // The strict provider takes no broken pair, no broken order and no request over its window.
      expect(provider.requests.map(({ status }) => status)).toEqual(answers.map(() => 200));
      expect(Math.max(...sizesOf(provider))).toBeLessThan(WINDOW);
      const outcomes = answers.map(({ headers }) => headers['x-ullage-outcome']).filter((outcome) => outcome !== undefined);
      expect(outcomes.length).toBeGreaterThanOrEqual(1);
      for (const outcome of outcomes) expect(outcome).toMatch(/^compacted; \d+->\d+$/);
      // No second compaction right after a good one.
      const turnsOfCompactions = answers.flatMap(({ headers }, index) => (headers['x-ullage-outcome'] === undefined ? [] : [index]));
      expect(turnsOfCompactions.filter((turn, index) => turn - (turnsOfCompactions[index - 1] ?? -9) < 2)).toEqual([]);
      const { compactions, requests, oldTokens, newTokens } = gateway.totals();
      expect({ compactions, requests }).toEqual({ compactions: outcomes.length, requests: 20 });
      expect(newTokens).toBeLessThan(oldTokens);
      const told = lines.filter((line) => /[\d,]+ → [\d,]+ tokens, -?\d+ messages? (?:fewer|more), no model call, \d+ ms/.test(line));
      expect(told).toHaveLength(outcomes.length);
      expect((await get(gateway, '/metrics')).text).toContain(`ullage_compactions_total{status="compacted",reason=""} ${outcomes.length}`);
    },
  );

  test('F05 the usage a client sees is the provider’s, for the request really sent', async () => {
    const provider = await world.provider({ window: WINDOW });
    const { gateway } = await world.start(provider.url, { models: { window: WINDOW, maxOutputTokens: 1_000 } });
    const answers = await play(gateway, api, { turns: 12 });
    for (const [index, { text }] of answers.entries()) {
      const { usage } = JSON.parse(text) as { usage: Record<string, number> };
      const prompt =
        usage.prompt_tokens ?? (usage.input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0);
      expect(prompt).toBe(provider.requests[index]!.tokens);
    }
  });

  test('F33 between compactions the prefix that was sent stays byte for byte', async () => {
    const provider = await world.provider({ window: WINDOW });
    const { gateway } = await world.start(provider.url, { models: { window: WINDOW, maxOutputTokens: 1_000 } });
    const answers = await play(gateway, api, { turns: 16 });
    const bodies = provider.requests.map(({ bytes }) => Buffer.from(bytes).toString());
    for (let index = 1; index < bodies.length; index++) {
      if (answers[index]!.headers['x-ullage-outcome'] !== undefined) continue;
      const before = bodies[index - 1]!;
      const kept = before.slice(before.indexOf('['), before.lastIndexOf(']'));
      expect(bodies[index]!.includes(kept), `request ${index}`).toBe(true);
    }
  });

  test('F22 an overflow is compacted and sent again, as a status and inside a stream, and the client sees neither', async () => {
    for (const as of ['status', 'first-event'] as const) {
      const provider = await world.provider({ script: [{ type: 'overflow', at: 9, as }] });
      const { gateway } = await world.start(provider.url);
      const answers = await play(gateway, api, { turns: 9, isStream: true });
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      expect(answers.at(-1)!.headers['x-ullage-outcome']).toMatch(/^compacted; /);
      expect(answers.at(-1)!.text).toContain('Well');
      expect(provider.requests).toHaveLength(10);
    }
  });

  test('F22 an error that is no overflow comes back as the provider said it, after one call', async () => {
    const body = { error: { message: 'Too many tokens per day', type: 'odd' } };
    const provider = await world.provider({ script: [{ type: 'status', status: 429, body, at: 'always' }] });
    const { gateway } = await world.start(provider.url);
    const [sent] = await play(gateway, api, { turns: 1 });
    expect(sent).toMatchObject({ status: 429, text: JSON.stringify(body) });
    expect(provider.requests).toHaveLength(1);
  });

  test('F29 a compaction that nobody asked for obeys the options: with a high threshold nothing is done', async () => {
    const provider = await world.provider();
    const { gateway } = await world.start(provider.url, { models: { window: 1_000_000 } });
    const answers = await play(gateway, api, { turns: 20 });
    expect(answers.filter(({ headers }) => headers['x-ullage-outcome'] !== undefined)).toEqual([]);
    expect(gateway.totals().compactions).toBe(0);
  });
});

describe('requests beside the conversation', () => {
  test('count_tokens is counted through the view and stored nowhere', async () => {
    const provider = await world.provider({ window: WINDOW });
    const { gateway } = await world.start(provider.url, { models: { window: WINDOW, maxOutputTokens: 1_000 } });
    await play(gateway, 'anthropic', { turns: 16 });
    const before = await get(gateway, '/ullage/v1/sessions/grow/entries');
    const body = [...growing('anthropic', 17)].at(-1)!;
    const sent = await post(gateway, '/s/grow/v1/messages/count_tokens', { model: body.model, messages: body.messages, tools: body.tools });
    expect(sent.status).toBe(200);
    expect((JSON.parse(sent.text) as { input_tokens: number }).input_tokens).toBeLessThan(WINDOW);
    expect((await get(gateway, '/ullage/v1/sessions/grow/entries')).text).toBe(before.text);
  });

  test('state that the provider holds is left alone, and the answer says which', async () => {
    const provider = await world.provider();
    const { gateway } = await world.start(provider.url);
    const first = await post(gateway, '/s/held/v1/responses', { model: 'm', input: 'hi' });
    const { id } = JSON.parse(first.text) as { id: string };
    const sent = await post(gateway, '/s/held/v1/responses', { model: 'm', input: 'more', previous_response_id: id });
    expect(sent).toMatchObject({ status: 200, headers: { 'x-ullage-outcome': 'left-alone; previous_response_id' } });
  });

  test('F23 a refused image is recovered once or told as it was said', async () => {
    const provider = await world.provider({ script: [{ type: 'media' }] });
    const { gateway } = await world.start(provider.url);
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB' } };
    const messages = [
      { role: 'user', content: [{ type: 'text', text: 'What is this?' }, image] },
      { role: 'assistant', content: 'A dot.' },
      { role: 'user', content: 'Are you sure? Keep this sentence.' },
    ];
    const sent = await post(gateway, '/v1/messages', { model: 'm', max_tokens: 50, messages });
    expect(provider.requests.length).toBeLessThanOrEqual(2);
    expect(sent.status).toBe(provider.requests.at(-1)!.status);
    expect(Buffer.from(provider.requests.at(-1)!.bytes).toString()).toContain('Keep this sentence.');
  });

  test('F09 signed thinking is taken back by the provider that signed it, across a fold', async () => {
    const provider = await world.provider({
      window: WINDOW,
      answer: () => ({ thinking: 'Let me think about it.', text: 'So it is. '.repeat(150) }),
    });
    const { gateway } = await world.start(provider.url, { models: { window: WINDOW, maxOutputTokens: 3_000 } });
    const messages: unknown[] = [];
    for (let turn = 0; turn < 40; turn++) {
      messages.push({ role: 'user', content: `Question ${turn}. ${'word '.repeat(400)}` });
      const body = { model: 'm', max_tokens: 3_000, thinking: { type: 'enabled', budget_tokens: 1_024 }, messages };
      const sent = await post(gateway, '/s/think/v1/messages', body);
      expect(sent.status, sent.text).toBe(200);
      messages.push({ role: 'assistant', content: (JSON.parse(sent.text) as { content: unknown }).content });
    }
    expect(gateway.totals().compactions).toBeGreaterThanOrEqual(1);
    expect(provider.requests.map(({ status }) => status)).toEqual(provider.requests.map(() => 200));
  });
});

describe('our own API', () => {
  test('shows and changes a session', async () => {
    const provider = await world.provider({ window: WINDOW });
    const { gateway } = await world.start(provider.url, { models: { window: WINDOW, maxOutputTokens: 1_000 } });
    await play(gateway, 'openai-chat', { turns: 12, key: 'a b' });
    const base = '/ullage/v1/sessions/a%20b';
    const read = async (path: string) => JSON.parse((await get(gateway, base + path)).text);
    expect(await read('')).toMatchObject({
      session: { key: 'a b', tenant: 'local' },
      guard: { health: 'ok' },
      conversations: [{ api: 'openai-chat' }],
    });
    const { count, entries } = await read('/entries?limit=3');
    expect(entries).toHaveLength(3);
    expect(entries.at(-1)).toMatchObject({ position: count - 1, role: 'user', excerpt: expect.stringContaining('Ask 11') });
    expect(await read('/entries?from=0&limit=1')).toMatchObject({
      from: 0,
      entries: [{ position: 0, excerpt: expect.stringContaining('Ask 0') }],
    });
    expect((await read('/folds')).folds.length).toBeGreaterThanOrEqual(1);
    const { view } = await read('/view');
    expect(view).toMatchObject({ kind: 'compaction', fold: { text: expect.any(String), handle: expect.stringMatching(/^f_/) } });
    expect((await get(gateway, `${base}/read/${view.fold.handle}`)).text).toContain('Ask 0');
    expect((await read('/search?q=mend&limit=2')).hits).toHaveLength(2);
    expect((await read('/outcomes?limit=1')).outcomes).toMatchObject([{ status: 'compacted' }]);

    expect(JSON.parse((await post(gateway, `${base}/compact`, { dryRun: true })).text)).toMatchObject({
      outcome: { triggerReason: 'manual' },
    });
    const pinned = await post(gateway, `${base}/pins`, { text: 'Never push to main' });
    expect(pinned.status).toBe(201);
    const { pin } = JSON.parse(pinned.text) as { pin: { id: string } };
    expect((await read('/pins')).pins).toEqual([{ id: pin.id, text: 'Never push to main' }]);
    expect((await send(`${gateway.url}${base}/pins/${pin.id}`, { method: 'DELETE' })).text).toBe('{"isRemoved":true}');
    expect((await post(gateway, `${base}/undo`, {})).status).toBe(200);
    expect((await read('/view')).view).toMatchObject({ kind: 'undo' });

    const removed = await send(`${gateway.url}${base}`, { method: 'DELETE' });
    expect(JSON.parse(removed.text)).toMatchObject({ isDeleted: true });
    expect((await get(gateway, base)).status).toBe(404);
    await play(gateway, 'openai-chat', { turns: 1, key: 'a b' });
    expect((await read('/entries')).count).toBe(1);
  });

  test.each([
    ['GET', '/ullage/v1/sessions/none', undefined, 404, 'session_not_found'],
    ['GET', '/ullage/v1/sessions?limit=0', undefined, 400, 'option_invalid'],
    ['GET', '/ullage/v1/sessions/grow/entries?from=x', undefined, 400, 'option_invalid'],
    ['GET', '/ullage/v1/sessions/grow/search', undefined, 400, 'option_invalid'],
    ['GET', '/ullage/v1/sessions/grow/read/e_000000000000', undefined, 404, 'handle_not_found'],
    ['POST', '/ullage/v1/sessions/grow/compact', '{"dryRun":"yes"}', 400, 'option_invalid'],
    ['POST', '/ullage/v1/sessions/grow/compact', '{"unknown":1}', 400, 'option_invalid'],
    ['POST', '/ullage/v1/sessions/grow/compact', '{', 400, 'option_invalid'],
    ['POST', '/ullage/v1/sessions/grow/undo', '{}', 409, 'nothing_to_undo'],
    ['POST', '/ullage/v1/sessions/grow/pins', JSON.stringify({ text: 'word '.repeat(5_000) }), 400, 'pin_too_large'],
    ['PUT', '/ullage/v1/sessions', '{}', 404, 'not_found'],
    ['GET', '/ullage', undefined, 404, 'not_found'],
  ])('%s %s %s is %d %s, with a hint', async (method, path, body, status, code) => {
    const provider = await world.provider();
    const { gateway } = await world.start(provider.url);
    await play(gateway, 'openai-chat', { turns: 1 });
    const sent = await send(gateway.url + path, { method, body });
    expect(sent.status).toBe(status);
    expect(JSON.parse(sent.text)).toMatchObject({ error: { code, message: expect.any(String), hint: expect.any(String) } });
  });

  test('live events tell of a compaction as it happens, to its tenant alone', async () => {
    const provider = await world.provider({ window: WINDOW });
    const tokens = [
      { name: 'ann', secret: 'ann-secret-0123456789' },
      { name: 'bob', secret: 'bob-secret-0123456789' },
    ];
    const { gateway } = await world.start(provider.url, { models: { window: WINDOW, maxOutputTokens: 1_000 }, tokens });
    const heard = tokens.map(() => '');
    const requests = tokens.map(({ secret }, index) => {
      const request = http.get(`${gateway.url}/ullage/v1/events`, { agent: false, headers: { 'x-ullage-token': secret } }, (response) => {
        response.on('data', (chunk: Buffer) => (heard[index] += chunk.toString())).on('error', () => {});
      });
      return request.on('error', () => {});
    });
    await expect.poll(() => heard.every((text) => text.includes('listening')), { timeout: 5_000 }).toBe(true);
    for (const body of growing('anthropic', 14)) await post(gateway, '/s/live/v1/messages', body, { 'x-ullage-token': tokens[0]!.secret });
    await expect.poll(() => heard[0], { timeout: 5_000 }).toContain('event: compaction-committed');
    expect(heard[0]).toContain('event: compaction-started');
    expect(heard[1]).not.toContain('compaction');
    for (const request of requests) request.destroy();
  });
});
