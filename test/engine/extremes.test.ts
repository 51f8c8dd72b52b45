// Histories at the edge: never an exception, always a request its API takes, or the plain truth about why not (F03, F07, F10, F18).
import { describe, expect, it } from 'vitest';
import { checkOutcome } from '../../src/core/plan/outcome-rules.ts';
import { APIS, type Api } from '../../src/core/transcript/entry.ts';
import type { Prepared } from '../../src/index.ts';
import { codecFor } from '../../src/wire/index.ts';
import { bodyOf, encodeAnswer, encodeAsk, encodeTurn, messagesOf, prose } from '../support/conversation.ts';
import { seededRandom } from '../support/random.ts';
import { makeWorld, marksOf, occurrences } from '../support/world.ts';

const random = seededRandom(12);
const LARGE = prose(random, 12_000);

function honest(prepared: Prepared): void {
  if (prepared.outcome) expect(checkOutcome(prepared.outcome)).toEqual([]);
  if (prepared.outcome?.status === 'compacted') expect(prepared.context.tokens).toBeLessThanOrEqual(prepared.budget.usable);
}

async function prepared(api: Api, messages: readonly object[]): Promise<Prepared> {
  const session = await makeWorld(api).session();
  const made = await session.prepare(bodyOf(api, messages));
  honest(made);
  return made;
}

const parallel = (api: Api, count: number, words: number): readonly object[] =>
  encodeTurn(api, {
    ask: 'Read them all at once.',
    steps: [
      {
        say: 'All at once.',
        calls: Array.from({ length: count }, (_, index) => ({ id: `p${index}`, path: `src/p${index}.ts`, result: prose(random, words) })),
      },
    ],
    answer: 'Read.',
  });

describe.each(APIS)('extremes in %s', (api) => {
  it('a newest ask larger than the window goes out as it is, and it is said that nothing can be done', async () => {
    const asked = encodeAsk(api, LARGE);
    const made = await prepared(api, asked);
    expect(made.outcome).toMatchObject({ exhausted: true, fitsWindow: false });
    expect(made.outcome!.status).not.toBe('compacted');
    expect(marksOf(made)).toEqual(marksOf({ body: bodyOf(api, asked) }));
  });

  it('an old ask larger than the window is shortened, head and tail, once it is not the newest (B025)', async () => {
    const made = await prepared(api, [...encodeAsk(api, `FIRST ${LARGE} LAST`), ...encodeAnswer(api, 'ok'), ...encodeAsk(api, 'Go on.')]);
    expect(made.outcome?.status).toBe('compacted');
    expect(made.text).toContain('FIRST ');
    expect(made.text).toContain(' LAST');
    expect(occurrences(made.text, 'Go on.')).toBe(1);
  });

  it('ten parallel calls over the budget are one step: all of it stays or all of it goes (F07, B054)', async () => {
    const calls = parallel(api, 10, 650);
    const open = calls.slice(0, -1);
    const made = await prepared(api, open);
    expect(made.outcome?.status).toBe('compacted');
    expect(codecFor(api).validate(made.text)).toEqual([]);
    const kept = Array.from({ length: 10 }, (_, index) => made.text.includes(`"p${index}"`));
    expect(new Set(kept).size).toBe(1);
    const later = await prepared(api, [...calls, ...encodeAsk(api, 'And now?'), ...parallel(api, 10, 200).slice(1)]);
    expect(codecFor(api).validate(later.text)).toEqual([]);
  });

  it('a history in which nobody ever spoke still begins with a user’s message after a fold (F10, B074)', async () => {
    const made = await prepared(
      api,
      Array.from({ length: 6 }, () => parallel(api, 4, 300).slice(1)).flatMap((step, index) =>
        step.map((message) => JSON.parse(JSON.stringify(message).replaceAll(/"p(\d)"/g, `"s${index}p$1"`)) as object),
      ),
    );
    expect(made.outcome?.status).toBe('compacted');
    expect(codecFor(api).validate(made.text)).toEqual([]);
    expect(messagesOf(made.body).find((message) => message.role !== 'system')).toMatchObject({ role: 'user' });
    expect(made.text).not.toMatch(/first request of the user/);
  });

  it('a megabyte of one letter, and text without an end, are counted and cut in time', async () => {
    const history = [
      ...encodeTurn(api, {
        ask: 'Read it.',
        steps: [{ say: 'Reading.', calls: [{ id: 'm', path: 'a', result: 'a'.repeat(1_000_000) }] }],
        answer: 'Read.',
      }),
      ...encodeAsk(api, 'And?'),
    ];
    const made = await prepared(api, history);
    expect(made.outcome?.status).toBe('compacted');
    expect(made.text.length).toBeLessThan(200_000);
    expect(codecFor(api).validate(made.text)).toEqual([]);
  });

  it('lone surrogates reach no provider and no store', async () => {
    const session = await makeWorld(api).session();
    const made = await session.prepare(bodyOf(api, encodeAsk(api, 'half \ud83d of a smile')));
    expect(made.text.isWellFormed()).toBe(true);
    expect((await session.export()).isWellFormed()).toBe(true);
  });

  it('instructions alone are no conversation', async () => {
    const session = await makeWorld(api).session();
    const body = api === 'openai-responses' ? { model: 'm', instructions: 'x', input: [] } : { model: 'm', messages: [] };
    const made = await session.prepare(body);
    expect(made.text).toBe(JSON.stringify(body));
    expect(made.outcome).toBeUndefined();
  });

  it('thousands of small messages are folded without their number mattering', async () => {
    const many = Array.from({ length: 1_200 }, (_, index) => [
      ...encodeAsk(api, `ask ${index}`),
      ...encodeAnswer(api, `answer ${index}`),
    ]).flat();
    const made = await prepared(api, [...many, ...encodeAsk(api, 'The last one.')]);
    expect(made.outcome?.status).toBe('compacted');
    expect(codecFor(api).validate(made.text)).toEqual([]);
    expect(occurrences(made.text, 'The last one.')).toBe(1);
    expect(made.text).toContain('ask 0');
  });
});
