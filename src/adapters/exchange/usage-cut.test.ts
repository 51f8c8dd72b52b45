// Chunks of a stream as they pass: exact bytes wherever they are cut, events read whole, the usage chunk kept back and nothing else.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closableBody } from './closable-body.ts';
import { type StreamItem, streamItems } from './stream-items.ts';
import { UsageCut } from './usage-cut.ts';

const delta = (content: string) => ({ choices: [{ delta: { content }, finish_reason: null }], usage: null });
const FINISH = { choices: [{ delta: {}, finish_reason: 'stop' }], usage: null };
const USAGE = { choices: [], usage: { prompt_tokens: 9, completion_tokens: 1 } };
const FILTER = { choices: [], prompt_filter_results: [] };

/** The text of a stream, with and without its usage chunk, and its events. */
function streamOf(lineEnd: string) {
  const event = (value: unknown, more = '') =>
    `${more}data: ${typeof value === 'string' ? value : JSON.stringify(value)}${lineEnd}${lineEnd}`;
  const events: unknown[] = [FILTER, delta('h\u00e9 📥'), delta('日本'), FINISH];
  const head = `: welcome${lineEnd}${lineEnd}retry: 100${lineEnd}${lineEnd}${events.map((value, index) => event(value, `id: ${index}${lineEnd}`)).join('')}`;
  const tail = `: still here${lineEnd}${lineEnd}${event('[DONE]')}`;
  return { whole: head + event(USAGE) + tail, cut: head + tail, events: [...events, USAGE] };
}

async function itemsOf(chunks: readonly Uint8Array[], cut?: UsageCut): Promise<StreamItem[]> {
  async function* body() {
    yield* chunks;
  }
  const items: StreamItem[] = [];
  for await (const item of streamItems(closableBody(body(), { abort: () => {}, onOver: () => {} }), { cut })) items.push(item);
  return items;
}

function cutAt(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const sorted = [...new Set(places.map((place) => place % bytes.length))].sort((a, b) => a - b);
  return [0, ...sorted].map((start, index) => bytes.slice(start, [...sorted, bytes.length][index])).filter((chunk) => chunk.length > 0);
}

const textOf = (items: readonly StreamItem[]) => Buffer.concat(items.map(({ bytes }) => bytes)).toString('utf8');
const LINE_ENDS = ['\n', '\r\n', '\r'] as const;
const places = fc.array(fc.nat(5_000), { maxLength: 40 });

describe.each(LINE_ENDS)('line end %j', (lineEnd) => {
  const { whole, cut, events } = streamOf(lineEnd);
  const bytes = new TextEncoder().encode(whole);

  it('chunks pass as they come, wherever they are cut, and their events are read whole (F08)', async () => {
    await fc.assert(
      fc.asyncProperty(places, async (where) => {
        const chunks = cutAt(bytes, where);
        const items = await itemsOf(chunks);
        expect(items.map((item) => item.bytes)).toEqual(chunks);
        expect(items.flatMap((item) => item.events)).toEqual(events);
      }),
      { seed: 6, numRuns: 100 },
    );
  });

  it('the usage chunk is kept back whole, every other byte passes in order (F08)', async () => {
    await fc.assert(
      fc.asyncProperty(places, async (where) => {
        const items = await itemsOf(cutAt(bytes, where), new UsageCut());
        expect(textOf(items)).toBe(cut);
        expect(items.flatMap((item) => item.events)).toEqual(events);
      }),
      { seed: 7, numRuns: 200 },
    );
  });
});

describe('what is held back', () => {
  const encode = (text: string) => new TextEncoder().encode(text);
  const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;

  it('is nothing before the finish reason: halves of events pass at once, in the very chunks that came', async () => {
    const chunks = ['data: {"choices":[{"del', 'ta":{"content":"a"}}]}\n', '\n', event(delta('b'))].map(encode);
    const items = await itemsOf(chunks, new UsageCut());
    expect(items.map((item) => item.bytes)).toEqual(chunks);
    expect(items.every((item, index) => item.bytes === chunks[index])).toBe(true);
  });

  it('is no usage beside an answer, and none that came without a finish reason in half', async () => {
    const beside = { ...FINISH, usage: USAGE.usage };
    expect(textOf(await itemsOf([encode(event(beside))], new UsageCut()))).toBe(event(beside));
    const halves = [event(USAGE).slice(0, 20), event(USAGE).slice(20)].map(encode);
    expect(textOf(await itemsOf(halves, new UsageCut()))).toBe(event(USAGE));
  });

  it('comes at the end when the stream was cut inside an event, and at once when an event grows too long', async () => {
    const cut = `${event(FINISH)}data: {"choices":[{"delta":{"content":"lo`;
    expect(textOf(await itemsOf([encode(cut)], new UsageCut()))).toBe(cut);
    const long = [event(FINISH), 'data: "', 'x'.repeat(100_000), 'y"\n\n', event(USAGE)];
    const items = await itemsOf(long.map(encode), new UsageCut());
    expect(items[2]!.bytes.length).toBe(100_007);
    expect(textOf(items)).toBe(long.slice(0, 4).join(''));
  });

  it('a megabyte of one letter, of line ends, of colons passes in linear time (F08)', async () => {
    for (const text of ['x'.repeat(1_000_000), '\n'.repeat(1_000_000), '\r'.repeat(1_000_000), ':\n'.repeat(500_000)]) {
      expect(textOf(await itemsOf(cutAt(encode(text), [10, 5_000]), new UsageCut()))).toBe(text);
    }
  });
});
