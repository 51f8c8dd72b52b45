// Plays of whole conversations at a small window, well-formed and damaged, for the tests of the laws.
import type { Api } from '../../src/core/transcript/entry.ts';
import { type Prepared, type Session, UllageError } from '../../src/index.ts';
import { type Accounted, accountFor } from './account.ts';
import { bodyOf, makeConversation } from './conversation.ts';
import { makeHostile } from './hostile.ts';
import { type Random, seededRandom } from './random.ts';
import { makeWorld, marksOf, usageOf, type World } from './world.ts';

const TURNS = 18;

export interface Step {
  readonly asked: object;
  readonly prepared: Prepared;
  readonly sent: readonly string[];
  /** The same request once more, in another process. */
  readonly again: string;
  /** Somebody compacted, undid, pinned, rotated or changed the window since the request before. */
  readonly isDisturbed: boolean;
  /** Pins that stand, and must be in it once. */
  readonly pins: readonly string[];
  readonly accounted: Accounted;
}

export interface Play {
  readonly world: World;
  readonly steps: readonly Step[];
}

interface Script {
  readonly requests: Iterable<object>;
  readonly isStormy: boolean;
  readonly hasUsers: boolean;
}

/** Plays requests at a small window, each by a new process or an old one, with answers of about the expected size, or none. */
async function playAll(api: Api, seed: number, script: Script): Promise<Play> {
  const random = seededRandom(seed * 77);
  const models = { window: 24_000, maxOutputTokens: 2_000 };
  const world = makeWorld(api, { models, policy: { tailTokens: 3_000 } });
  let session = await world.session();
  const steps: Step[] = [];
  for (const asked of script.requests) {
    if (random.next() < 0.3) session = await world.session();
    const isDisturbed = script.isStormy && steps.length > 0 && (await disturb(session, random));
    const prepared = (await session.prepare(asked)) as Prepared;
    const accounted = await accountFor(world.store, api, { asked, prepared });
    const again = await (await world.session()).prepare(asked);
    if (random.next() < 0.8) await session.observe(prepared.id, usageOf(api, Math.round(prepared.context.tokens * 1.05)));
    await world.clock.advance(20_000);
    // Where nobody speaks, a pin has no place.
    const pins = script.hasUsers ? (await session.pins()).map((pin) => pin.text) : [];
    steps.push({ asked, prepared, sent: marksOf(prepared), again: again.text, isDisturbed, pins, accounted });
  }
  return { world, steps };
}

/** What a person may do between two requests. */
async function disturb(session: Session, random: Random): Promise<boolean> {
  const pins = await session.pins();
  const deeds: readonly (() => Promise<unknown>)[] = [
    () => session.compact(random.next() < 0.3 ? { targetTokens: random.int(2_000, 9_000) } : {}),
    () => session.undo().catch(refusedUndo),
    () => session.pin(`PIN-${random.int(0, 9_999)} keep the "schema"`),
    () => (pins.length === 0 ? session.pins() : session.unpin(random.pick(pins).id)),
    () => session.rotate(),
    () => session.compact({ dryRun: true }),
  ];
  if (random.next() < 0.4) return false;
  await random.pick(deeds)();
  return true;
}

function refusedUndo(error: unknown): void {
  if (!(UllageError.is(error) && error.code === 'nothing_to_undo')) throw error;
}

function* wellFormed(api: Api, seed: number): Generator<object> {
  const random = seededRandom(seed * 131);
  const conversation = makeConversation(api, seed);
  for (let turn = 0; turn < TURNS; turn++) {
    conversation.grow({ steps: random.int(1, 4), resultWords: random.int(10, 300) });
    yield conversation.ask();
  }
}

const hasUsers = (seed: number): boolean => seed % 4 !== 0;

function* hostile(api: Api, seed: number): Generator<object> {
  const history = makeHostile(api, seed, { hasUsers: hasUsers(seed) });
  for (let turn = 0; turn < TURNS; turn++) {
    history.grow();
    yield bodyOf(api, [...history.messages]);
  }
}

/** stormy: a damaged history, and people who do things to it. */
export type Kind = 'well-formed' | 'hostile' | 'stormy';

export function play(api: Api, seed: number, kind: Kind): Promise<Play> {
  const requests = kind === 'well-formed' ? wellFormed(api, seed) : hostile(api, seed);
  return playAll(api, seed, { requests, isStormy: kind === 'stormy', hasUsers: kind === 'well-formed' || hasUsers(seed) });
}
