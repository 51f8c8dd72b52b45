// The prompt caches and the bill: who reads what, for how long, at which price.
import { afterEach, describe, expect, test } from 'vitest';
import { readUsage } from '../../wire/usage.ts';
import { manualClock } from '../manual-clock.ts';
import { ask, bodyOf, PATHS, post, providers } from './testing/client.ts';

const { start, close } = providers();
afterEach(close);

const MINUTE_MS = 60_000;
/** About 2,500 tokens. */
const LONG = 'abcd'.repeat(2_500);

const block = (text: string, ttl?: string) => ({
  type: 'text',
  text,
  ...(ttl === undefined ? {} : { cache_control: ttl === '5m' ? { type: 'ephemeral' } : { type: 'ephemeral', ttl } }),
});
const user = (...content: object[]) => ({ role: 'user', content });
const assistant = (text: string) => ({ role: 'assistant', content: text });

describe('anthropic: only at markers', () => {
  const usageOf = async (provider: Awaited<ReturnType<typeof start>>, messages: unknown[], more = {}) =>
    readUsage('anthropic', (await ask(provider, 'anthropic', messages, more)).body);

  test('nothing without a marker, a write and then a read with one', async () => {
    const provider = await start();
    expect((await usageOf(provider, [user(block(LONG))])).cacheWrite).toBe(0);
    const written = await usageOf(provider, [user(block(LONG, '5m'))]);
    const total = provider.requests[1]!.tokens;
    expect(written).toMatchObject({ uncachedInput: 0, cacheRead: 0, cacheWrite: total });
    const grown = await usageOf(provider, [user(block(LONG)), assistant('ok'), user(block('more', '5m'))]);
    const all = provider.requests[2]!;
    expect(grown).toMatchObject({ uncachedInput: 0, cacheRead: total, cacheWrite: all.tokens - total, promptTokens: all.tokens });
    expect(all.cachedTokens).toBe(total);
  });

  test('a change in front of the marker reads nothing, a prefix under the minimum is not kept', async () => {
    const provider = await start();
    await usageOf(provider, [user(block(LONG, '5m'))]);
    expect((await usageOf(provider, [user(block(`x${LONG}`, '5m'))])).cacheRead).toBe(0);
    await usageOf(provider, [user(block('short', '5m'))]);
    expect(await usageOf(provider, [user(block('short', '5m'))])).toMatchObject({ cacheRead: 0, cacheWrite: 0 });
  });

  test('five minutes, renewed by reading; one hour where asked; 1h costs more', async () => {
    const clock = manualClock();
    const provider = await start({ clock });
    const read = async (ttl: string) => (await usageOf(provider, [user(block(ttl + LONG, ttl))])).cacheRead! > 0;
    await read('5m');
    await read('1h');
    clock.set(4 * MINUTE_MS);
    expect(await read('5m')).toBe(true);
    clock.set(8 * MINUTE_MS);
    expect(await read('5m')).toBe(true);
    clock.set(13 * MINUTE_MS);
    expect([await read('5m'), await read('1h')]).toEqual([false, true]);
    const mixed = async (ttl: string) => (await usageOf(provider, [user(block(`mixed${LONG}`, ttl))])).cacheRead! > 0;
    await mixed('1h');
    await mixed('5m');
    clock.set(33 * MINUTE_MS);
    expect(await mixed('5m')).toBe(true);
    const costOf = async (ttl: string) => {
      const fresh = await start();
      await ask(fresh, 'anthropic', [user(block(LONG, ttl))]);
      return (fresh.bill().cost - fresh.bill().output * 5) / fresh.requests[0]!.tokens;
    };
    expect([await costOf('5m'), await costOf('1h')]).toEqual([1.25, 2]);
  });

  test('an entry more than twenty blocks before the marker is not found', async () => {
    const blocks = (count: number) => Array.from({ length: count }, (_, at) => block(`block ${at}`));
    const readAfter = async (count: number) => {
      const provider = await start();
      await usageOf(provider, [user(block(LONG, '5m'))]);
      return (await usageOf(provider, [user(block(LONG), ...blocks(count - 1), block('last', '5m'))])).cacheRead! > 0;
    };
    expect([await readAfter(20), await readAfter(21)]).toEqual([true, false]);
  });

  test('another account or model shares nothing; another tool choice keeps the system', async () => {
    const provider = await start();
    const body = bodyOf('anthropic', [user(block(LONG, '5m'))], { system: [block(LONG, '5m')], tools: [{ name: 'x', input_schema: {} }] });
    const read = async (more: object, key = 'a') => {
      const { body: answer } = await post(provider, PATHS.anthropic, { ...body, ...more }, { 'x-api-key': key });
      return readUsage('anthropic', answer).cacheRead!;
    };
    await read({});
    const all = await read({});
    const system = await read({ tool_choice: { type: 'any' } });
    expect(all).toBeGreaterThan(4_000);
    expect(system).toBeGreaterThan(2_000);
    expect(system).toBeLessThan(all);
    expect([await read({}, 'b'), await read({ model: 'other' })]).toEqual([0, 0]);
  });
});

describe.each(['openai-chat', 'openai-responses'] as const)('%s: automatic', (api) => {
  test('from 1,024 tokens on, in steps of 128, for thirty minutes', async () => {
    const clock = manualClock();
    const provider = await start({ clock });
    const usage = async (content: string) => readUsage(api, (await ask(provider, api, content)).body);
    expect(await usage('short')).toMatchObject({ cacheRead: 0, cacheWrite: 0 });
    const first = await usage(LONG);
    const { tokens } = provider.requests[1]!;
    expect(first).toMatchObject({ cacheRead: 0, cacheWrite: Math.floor(tokens / 128) * 128, promptTokens: tokens });
    const second = await usage(`${LONG} and more`);
    expect(second.cacheRead! % 128).toBe(0);
    expect(second.cacheRead!).toBeGreaterThanOrEqual(1_024);
    expect(second.cacheRead!).toBeLessThanOrEqual(tokens);
    expect((await usage(`x${LONG}`)).cacheRead).toBe(0);
    clock.set(31 * MINUTE_MS);
    expect((await usage(LONG)).cacheRead).toBe(0);
  });
});

describe('the bill', () => {
  test('adds the classes at their prices, and only what was answered', async () => {
    const prices = { input: 2, cacheRead: 1, cacheWrite: 3, output: 10 };
    const provider = await start({ prices, script: [{ type: 'overflow', at: 3 }], answer: () => ({ text: 'ok', outputTokens: 7 }) });
    for (let at = 0; at < 3; at += 1) await ask(provider, 'anthropic', [user(block(LONG, '5m'), block('new'))]);
    const bill = provider.bill();
    expect(bill).toMatchObject({ requests: 2, output: 14 });
    expect(bill.cacheRead).toBe(bill.cacheWrite);
    expect(bill.cost).toBe(bill.uncachedInput * 2 + bill.cacheRead + bill.cacheWrite * 3 + 140);
  });

  test('a model has its own prices, a count is of the caller', async () => {
    const provider = await start({ count: (text) => text.length, models: { free: { prices: { input: 0, output: 0 } } } });
    await ask(provider, 'anthropic', 'hi', { model: 'free' });
    expect(provider.bill().cost).toBe(0);
    expect(provider.requests[0]!.tokens).toBe(JSON.stringify({ type: 'text', text: 'hi' }).length);
  });

  test('media weighs the same whatever its bytes, and a marker weighs nothing', async () => {
    const provider = await start();
    const image = (bytes: number) => ({
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(bytes) },
    });
    const tokensOf = async (...content: object[]) => {
      await ask(provider, 'anthropic', [user(...content)]);
      return provider.requests.at(-1)!.tokens;
    };
    const small = await tokensOf(image(1_000));
    expect(small).toBeGreaterThan(1_600);
    expect(await tokensOf(image(1_004))).toBe(small);
    expect(Math.abs((await tokensOf(image(4_000_000))) - small)).toBeLessThanOrEqual(2);
    expect(await tokensOf(block('text', '5m'))).toBe(await tokensOf(block('text')));
  });
});
