// The laws over many more conversations than a test run has time for. A seed that fails is kept in laws.test.ts.
import { describe, it } from 'vitest';
import { APIS } from '../../src/core/transcript/entry.ts';
import { judgeAccounts, judgeBudgets, judgePins, judgeStability, judgeStore, judgeValidity } from '../support/law-judges.ts';
import { play } from '../support/law-play.ts';

const KINDS = ['well-formed', 'hostile', 'stormy'] as const;
const SEEDS = Array.from({ length: 40 }, (_, index) => 1_000 + index);

describe.each(APIS)('laws in %s', (api) => {
  it.each(SEEDS.flatMap((seed) => KINDS.map((kind) => [seed, kind] as const)))('seed %i, %s', async (seed, kind) => {
    const played = await play(api, seed, kind);
    judgeValidity(api, kind, played);
    judgeAccounts(api, played);
    judgeBudgets(played);
    judgeStability(played);
    judgePins(played);
    await judgeStore(api, played);
  });
});
