// The laws as properties over random conversations, in all three formats: accounting, byte-stable prefix, whole steps, budgets, validity.
import { describe, expect, it } from 'vitest';
import { APIS, type Api } from '../../src/core/transcript/entry.ts';
import { judgeAccounts, judgeBudgets, judgePins, judgeStability, judgeStore, judgeValidity } from '../support/law-judges.ts';
import { type Kind, type Play, play } from '../support/law-play.ts';

/** Seeds that four divides: nobody ever speaks. 1027 once failed: a pin on a message of orphans. */
const CASES: readonly (readonly [number, Kind])[] = [
  [1, 'well-formed'],
  [2, 'well-formed'],
  [1, 'hostile'],
  [2, 'hostile'],
  [4, 'hostile'],
  [3, 'stormy'],
  [1_027, 'stormy'],
];

const played = new Map<string, Promise<Play>>();

/** Each play is judged by several tests. */
function playOnce(api: Api, seed: number, kind: Kind): Promise<Play> {
  const name = `${api} ${seed} ${kind}`;
  const known = played.get(name) ?? play(api, seed, kind);
  played.set(name, known);
  return known;
}

describe.each(APIS)('laws in %s', (api) => {
  it.each(CASES)(
    'seed %i, %s: every request is valid, or breaks no rule that its caller did not break (Law 6, F07, F10)',
    async (seed, kind) => {
      const played = await playOnce(api, seed, kind);
      expect(played.steps.some(({ prepared }) => prepared.outcome?.status === 'compacted')).toBe(true);
      judgeValidity(api, kind, played);
    },
  );

  it.each(CASES)('seed %i, %s: every entry is accounted for, and no step is split (Law 3)', async (seed, kind) => {
    judgeAccounts(api, await playOnce(api, seed, kind));
  });

  it.each(CASES)('seed %i, %s: budgets are kept, or it is said why not', async (seed, kind) => {
    judgeBudgets(await playOnce(api, seed, kind));
  });

  it.each(CASES)('seed %i, %s: the prefix is byte-stable between compactions, in every process (Law 7, F32, F33)', async (seed, kind) => {
    judgeStability(await playOnce(api, seed, kind));
  });

  it.each(CASES)('seed %i, %s: each pin stands in each request once (F17)', async (seed, kind) => {
    judgePins(await playOnce(api, seed, kind));
  });

  it.each(CASES)('seed %i, %s: nothing said is lost: every entry comes back byte for byte (Law 2)', async (seed, kind) => {
    await judgeStore(api, await playOnce(api, seed, kind));
  });
});
