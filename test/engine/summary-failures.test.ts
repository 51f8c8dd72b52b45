// Every bad answer of a summarizer: the history stays as the facts alone would leave it, the failure has its name, and what is tried next is
// something else (F11, F14, F15, F16, F21, F34).
import { describe, expect, it } from 'vitest';
import type { Session } from '../../src/index.ts';
import { type SummarizerStep, scriptedSummarizer } from '../../src/testkit/index.ts';
import { bodyOf, encodeAnswer, encodeAsk, prose } from '../support/conversation.ts';
import { seededRandom } from '../support/random.ts';
import { exchange, grown, makeWorld, occurrences, settled, type World } from '../support/world.ts';

const API = 'openai-chat';

const BAD: readonly (readonly [string, SummarizerStep, string])[] = [
  ['throws', { type: 'throw', error: new Error('boom') }, 'other'],
  ['answers 429', { type: 'status', status: 429 }, 'rate'],
  ['answers 401', { type: 'status', status: 401 }, 'auth'],
  ['answers 500', { type: 'status', status: 500 }, 'network'],
  ['has too small a window', { type: 'status', status: 413 }, 'overflow'],
  ['is silent until its deadline', { type: 'hang' }, 'timeout'],
  ['answers nothing', { type: 'empty' }, 'empty'],
  ['answers white space', { type: 'whitespace' }, 'empty'],
  ['only thinks', { type: 'thinking-only' }, 'empty'],
  ['calls a tool', { type: 'tool-call' }, 'tool_call'],
  ['is cut off', { type: 'truncated' }, 'truncated'],
  ['refuses', { type: 'refusal' }, 'refusal'],
  ['tells an error as a success', { type: 'error-text' }, 'no_headings'],
  ['repeats its input', { type: 'echo' }, 'echo'],
  ['writes more than it read', { type: 'larger' }, 'too_large'],
  ['writes another language', { type: 'other-language' }, 'language'],
  ['invents what the user wants', { type: 'invented-user' }, 'invented_user'],
  ['hands on an injected order and a closing delimiter', { type: 'delimiter' }, 'injection'],
  ['leaks a key', { type: 'secret' }, 'secret'],
];

async function coolingOf(world: World) {
  const row = (await world.store.findSession({ tenant: 'local', key: 'k' }))!;
  return (await world.store.loadConversation({ tenant: 'local', conversationId: row.currentConversationId! })).guard.paths;
}

/** Prepares while time passes, as long as it takes. */
async function prepared(world: World, session: Session, body: object) {
  let isDone = false;
  const preparing = session.prepare(body).finally(() => {
    isDone = true;
  });
  for (let second = 0; second < 120 && !isDone; second++) {
    await settled();
    if (!isDone) await world.clock.advance(1_000);
  }
  return preparing;
}

const CONVERSATION = () => {
  const conversation = grown(API, 5);
  // Enough of the user's own words to know the language.
  conversation.messages.unshift(
    ...encodeAsk(API, 'Please mend what is broken in the build, and tell me what you have done with it before you go on to the next part.'),
    ...encodeAnswer(API, 'I will.'),
  );
  return conversation;
};

describe.each(BAD)('a summarizer that %s', (_, step, reason) => {
  it('changes nothing: what goes out is what the facts alone give, and its path cools under that name (F11, F21)', async () => {
    const plain = await (await makeWorld(API).session()).prepare(CONVERSATION().ask());
    const world = makeWorld(API, { summarizer: scriptedSummarizer(step, { id: 'bad' }) });
    const session = await world.session();
    const sent = await prepared(world, session, CONVERSATION().ask());
    expect(sent.outcome).toMatchObject({ status: 'compacted', summary: 'facts', exhausted: false });
    expect(sent.outcome!.durationMs).toBeLessThanOrEqual(20_000);
    expect(sent.text).toBe(plain.text);
    expect(await coolingOf(world)).toMatchObject({ bad: { failures: 1, periodMs: 60_000, reason } });
    expect((await session.outcomes())[0]).toMatchObject({ summary: 'facts', summarizerFailures: [{ path: 'bad', reason }] });
    expect(sent.outcome!.message).toContain(`no summary by a model (failed: bad: ${reason})`);
  });

  it('is not asked again while it cools, not even by another process; the next of the chain is (F21)', async () => {
    const world = makeWorld(API);
    const conversation = CONVERSATION();
    const bad = scriptedSummarizer(step, { id: 'bad' });
    const good = scriptedSummarizer({ type: 'text' }, { id: 'good' });
    const first = await prepared(world, await world.session('k', { summarizer: [bad, good] }), conversation.ask());
    expect(first.outcome).toMatchObject({ status: 'compacted', summary: 'model', summarizerFailures: [{ path: 'bad' }] });
    expect(Object.keys(await coolingOf(world))).toEqual(['bad']);
    const asked = bad.calls;
    let outcome: typeof first.outcome;
    while (outcome?.status !== 'compacted') {
      conversation.grow({ steps: 3, resultWords: 250 });
      outcome = (await exchange(await world.session('k', { summarizer: [bad, good] }), API, conversation.ask())).outcome;
    }
    expect(outcome.summary).toBe('model');
    expect(bad.calls).toBe(asked);
  });
});

describe('no two requests to a summarizer are alike', () => {
  it('what overflows its window is sent in smaller pieces, once (F13)', async () => {
    const bad = scriptedSummarizer({ type: 'status', status: 413 }, { id: 'bad' });
    await (await makeWorld(API, { summarizer: bad }).session()).prepare(grown(API, 5).ask());
    const sizes = bad.requests.map((request) => request.text.length);
    expect(new Set(sizes).size).toBe(sizes.length);
    expect(sizes.length).toBeLessThanOrEqual(2);
  });
});

describe('cost', () => {
  it('is that of all calls: those that were rejected, and those that told of it in their error', async () => {
    const usage = { input_tokens: 100, output_tokens: 10 };
    const rejected = scriptedSummarizer({ type: 'text', text: 'No headings.', usage }, { id: 'a' });
    const thrown = scriptedSummarizer({ type: 'throw', error: Object.assign(new Error('cut'), { usage }) }, { id: 'b' });
    const good = scriptedSummarizer({ type: 'text', usage }, { id: 'c' });
    const session = await makeWorld(API, { summarizer: [rejected, thrown, good] }).session();
    const { outcome } = await session.prepare(grown(API, 5).ask());
    expect(outcome).toMatchObject({ summary: 'model', summarizerUsage: { input_tokens: 300, output_tokens: 30 } });
    const none = await (await makeWorld(API, { summarizer: rejected }).session()).prepare(grown(API, 5).ask());
    expect(none.outcome).toMatchObject({ summary: 'facts', summarizerUsage: usage });
  });
});

describe('a store that fails between two paths', () => {
  it('does not lose the failure of the first: it is written with the end of the attempt (F21)', async () => {
    const world = makeWorld(API);
    const swap = world.store.swapGuard;
    const bad = scriptedSummarizer({ type: 'status', status: 500 }, { id: 'bad' });
    const good = scriptedSummarizer({ type: 'text' }, { id: 'good' });
    world.store.swapGuard = (command) => {
      if (command.guard.lease?.path !== 'good') return swap(command);
      world.store.swapGuard = swap;
      return Promise.reject(Object.assign(new Error('busy'), { code: 'store_unavailable' }));
    };
    await (await world.session('k', { summarizer: [bad, good] })).prepare(grown(API, 5).ask()).catch(() => undefined);
    expect(await coolingOf(world)).toMatchObject({ bad: { failures: 1, reason: 'network' } });
  });
});

describe('over many rounds', () => {
  it('a fact of round one is there after five, though the model forgets it, and the summary is in the user’s language (F16)', async () => {
    const random = seededRandom(3);
    const forgetful = scriptedSummarizer({
      type: 'text',
      text: '## Goal\nArreglar la compilación que el usuario pidió.\n## Done\n1. Se leyeron los archivos y se cambió lo que fallaba en ellos.',
    });
    const session = await makeWorld(API, { summarizer: forgetful }).session();
    const messages: object[] = [
      ...encodeAsk(API, 'Arregla la compilación y dime qué es lo que falla en ella, por favor.'),
      ...encodeAnswer(API, 'De acuerdo.'),
      ...encodeAsk(API, 'El servicio escucha en PORT=4711 y eso no lo cambies nunca.'),
      ...encodeAnswer(API, 'Entendido.'),
    ];
    let compactions = 0;
    while (compactions < 5) {
      for (let turn = 0; turn < 3; turn++)
        messages.push(...encodeAsk(API, `Sigue con la parte ${messages.length}.`), ...encodeAnswer(API, prose(random, 500)));
      messages.push(...encodeAsk(API, 'Y ahora la siguiente.'));
      const sent = await exchange(session, API, bodyOf(API, messages));
      messages.push(...encodeAnswer(API, 'Hecho.'));
      if (sent.outcome?.status !== 'compacted') continue;
      compactions += 1;
      expect(sent.outcome.summary).toBe('model');
      expect(sent.text).toContain('PORT=4711');
      expect(sent.text).toContain('Arreglar la compilación');
    }
    expect(forgetful.requests[0]!.instructions).toContain('The user writes in Spanish.');
  });

  it('a pin is said once, though the model repeats it; a pin taken away is not handed on (F17)', async () => {
    const pin = 'PIN-9: speak of the badger.';
    const text = `## Goal\nShip it.\n## Constraints and preferences\n${pin}\n## Done\n1. Read the code.`;
    const summarizer = scriptedSummarizer({ type: 'text', text });
    const session = await makeWorld(API, { summarizer }).session();
    const conversation = grown(API, 2);
    await exchange(session, API, conversation.ask());
    const { id } = await session.pin(pin);
    let compactions = 0;
    while (compactions < 3) {
      conversation.grow({ steps: 3, resultWords: 250 });
      const sent = await exchange(session, API, conversation.ask());
      if (sent.outcome?.status !== 'compacted') continue;
      compactions += 1;
      expect(occurrences(sent.text, pin)).toBe(1);
    }
    expect(summarizer.requests.at(-1)!.previousSummary).not.toContain('badger');
    await session.unpin(id);
    const asked = summarizer.calls;
    while (summarizer.calls === asked) {
      conversation.grow({ steps: 3, resultWords: 250 });
      await exchange(session, API, conversation.ask());
    }
    expect(summarizer.requests.at(-1)!.previousSummary).not.toContain('badger');
  });
});
