// Several processes on one store, each doing what it likes, while models answer late, badly or never: whatever the order, views follow each
// other one by one, every request is valid, and the accounts close (G4, G5, F26).
import { describe, expect, it } from 'vitest';
import { APIS, type Api } from '../../src/core/transcript/entry.ts';
import { type Prepared, type Session, type Summarizer, UllageError } from '../../src/index.ts';
import { codecFor } from '../../src/wire/index.ts';
import { accountFor } from '../support/account.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { grown, makeWorld, settled, usageOf, type World } from '../support/world.ts';

const SUMMARY = '## Goal\nMend the build.\n\n## Done\n1. Read the parts.\n';
const PATIENT = new Set(['nothing_to_undo', 'store_unavailable', 'session_not_found', 'cancelled']);

function moody(world: World, random: Random): Summarizer {
  return async ({ signal }) => {
    const mood = random.next();
    if (mood < 0.15) throw Object.assign(new Error('busy'), { status: 529 });
    await world.clock.wait(mood < 0.3 ? 100_000 : random.int(0, 30_000), signal);
    return { text: mood < 0.4 ? '' : SUMMARY, finishReason: 'stop' };
  };
}

async function live(api: Api, session: Session, made: { readonly bodies: readonly object[]; readonly random: Random }): Promise<void> {
  const { bodies, random } = made;
  for (const body of bodies) {
    const stop = new AbortController();
    if (random.next() < 0.1) stop.abort();
    const prepared = await session.prepare(body, { signal: stop.signal });
    expect(codecFor(api).validate(prepared.text)).toEqual([]);
    if (random.next() < 0.7) await session.observe(prepared.id, usageOf(api, prepared.context.tokens));
    const deed = random.next();
    try {
      if (deed < 0.08) await session.undo();
      else if (deed < 0.16) await session.compact();
      else if (deed < 0.22) await session.pin(`PIN-${random.int(0, 3)}`);
      else if (deed < 0.26) await session.rotate();
      else if (deed < 0.3) await session.guard();
    } catch (error) {
      if (!(UllageError.is(error) && PATIENT.has(error.code))) throw error;
    }
  }
}

describe.each(APIS)('processes in %s', (api) => {
  it.each(Array.from({ length: 12 }, (_, index) => index + 1))('seed %i', async (seed) => {
    const random = seededRandom(seed * 313);
    const world = makeWorld(api);
    const conversation = grown(api, 2, seed);
    const bodies: object[] = [];
    for (let turn = 0; turn < 14; turn++) {
      conversation.grow({ steps: 2, resultWords: 200 });
      bodies.push(conversation.ask());
    }
    const sessions = await Promise.all(Array.from({ length: 4 }, () => world.session('k', { summarizer: moody(world, random) })));
    let isDone = false;
    const lives = Promise.all(sessions.map((session) => live(api, session, { bodies, random }))).finally(() => {
      isDone = true;
    });
    lives.catch(() => {});
    while (!isDone) {
      await settled();
      await world.clock.advance(random.int(50, 20_000));
    }
    await lives;
    await world.clock.advance(400_000);
    const session = await world.session('k', { models: { window: 1_000_000 } });
    const asked = conversation.ask();
    const prepared = (await session.prepare(asked)) as Prepared;
    await accountFor(world.store, api, { asked, prepared });
    const { currentConversationId } = (await world.store.findSession({ tenant: 'local', key: 'k' }))!;
    const { views } = await world.store.loadConversation({ tenant: 'local', conversationId: currentConversationId! });
    for (const [index, view] of views.entries()) expect(view.baseViewId).toBe(views[index + 1]?.viewId);
    const again = await (await world.session('k', { models: { window: 1_000_000 } })).prepare(asked);
    expect(again.text).toBe(prepared.text);
  });
});
