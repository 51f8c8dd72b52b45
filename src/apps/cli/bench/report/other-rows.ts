// Five rounds, replay and speed, summed up.

import type { FileResult, Soundness } from '../file-result.ts';
import { CANARY_DEPTHS, CANARY_TYPES } from '../measures/canaries.ts';
import { costOf, type Price, type Sent } from '../measures/prices.ts';
import type { Stored } from '../measures/replay.ts';
import type { Round } from '../measures/rounds.ts';
import { meanOf, percentileOf } from '../statistics/interval.ts';

export interface RoundRow {
  readonly strategy: string;
  readonly round: number;
  readonly transcripts: number;
  readonly survival: number;
  readonly depths: Readonly<Partial<Record<string, number>>>;
  readonly types: Readonly<Partial<Record<string, number>>>;
  readonly stale?: number;
  /** Largest size of the messages, of their budget. */
  readonly filled: number;
}

export function roundRows(files: readonly FileResult[]): readonly RoundRow[] {
  const names = [...new Set(files.flatMap(({ rounds }) => rounds.map(({ strategy }) => strategy)))];
  return names.flatMap((strategy) => {
    const played = files.flatMap(({ rounds }) => rounds.filter((own) => own.strategy === strategy).map((own) => own.rounds));
    const count = Math.min(...played.map((rounds) => rounds.length));
    return Array.from({ length: count }, (_, index) =>
      roundRow(
        strategy,
        index,
        played.map((rounds) => rounds[index]!),
      ),
    );
  });
}

function roundRow(strategy: string, index: number, rounds: readonly Round[]): RoundRow {
  const mean = (pick: (round: Round) => number | undefined) => meanOf(rounds.flatMap((round) => pick(round) ?? []));
  return {
    strategy,
    round: index + 1,
    transcripts: rounds.length,
    survival: mean(({ survival }) => survival) ?? 0,
    depths: Object.fromEntries(CANARY_DEPTHS.map((depth) => [depth, mean(({ depths }) => depths[depth])])),
    types: Object.fromEntries(CANARY_TYPES.map((type) => [type, mean(({ types }) => types[type])])),
    stale: mean(({ stale }) => stale),
    filled: Math.max(...rounds.map(({ filled }) => filled)),
  };
}

export interface ReplayRow {
  readonly strategy: string;
  readonly transcripts: number;
  readonly requests: number;
  readonly compactions: number;
  readonly overWindow: number;
  /** Of what was sent, read from the cache: share of 1. */
  readonly cached: number;
  /** Cost of all transcripts together against never compacting, for each price. */
  readonly costs: readonly number[];
}

export function replayRows(files: readonly FileResult[], prices: readonly Price[]): readonly ReplayRow[] {
  const names = [...new Set(files.flatMap(({ replays }) => replays.map(({ strategy }) => strategy)))];
  return names.map((strategy) => {
    const own = files.flatMap(({ replays }) => replays.filter((replay) => replay.strategy === strategy).map(({ replayed }) => replayed));
    const sum = (pick: (replayed: (typeof own)[number]) => number) => own.reduce((total, replayed) => total + pick(replayed), 0);
    const total = (sentOf: (replayed: (typeof own)[number]) => Sent): Sent => ({
      tokens: sum((replayed) => sentOf(replayed).tokens),
      cachedTokens: sum((replayed) => sentOf(replayed).cachedTokens),
    });
    const sent = total((replayed) => replayed.sent);
    const never = total((replayed) => replayed.never);
    return {
      strategy,
      transcripts: own.length,
      requests: sum(({ requests }) => requests),
      compactions: sum(({ compactions }) => compactions),
      overWindow: sum(({ overWindow }) => overWindow),
      cached: sent.cachedTokens / sent.tokens,
      costs: prices.map((price) => costOf(sent, price) / costOf(never, price)),
    };
  });
}

export interface SpeedRow {
  readonly plannings: number;
  /** Tokens saved per millisecond: half of the plannings are at least so fast, and 95 % of them. */
  readonly savedPerMsP50: number;
  readonly savedPerMsP95: number;
  /** Milliseconds per 55,000 tokens of history. */
  readonly msPer55kP50: number;
  readonly msPer55kP95: number;
}

const UNIT_TOKENS = 55_000;

export function speedRow(files: readonly FileResult[]): SpeedRow | undefined {
  const plannings = files.flatMap((file) => file.plannings).filter(({ ms, savedTokens }) => ms > 0 && savedTokens > 0);
  if (plannings.length === 0) return undefined;
  const saved = plannings.map(({ ms, savedTokens }) => savedTokens / ms);
  const perUnit = plannings.map(({ ms, tokens }) => (ms / tokens) * UNIT_TOKENS);
  return {
    plannings: plannings.length,
    savedPerMsP50: percentileOf(saved, 0.5)!,
    savedPerMsP95: percentileOf(saved, 0.05)!,
    msPer55kP50: percentileOf(perUnit, 0.5)!,
    msPer55kP95: percentileOf(perUnit, 0.95)!,
  };
}

/** The soundness of all files. */
export function totalSoundness(files: readonly FileResult[]): Soundness {
  const all = files.map(({ soundness }) => soundness);
  const sum = (pick: (own: Soundness) => number) => all.reduce((total, own) => total + pick(own), 0);
  return {
    requests: sum(({ requests }) => requests),
    invalid: sum(({ invalid }) => invalid),
    broken: all.flatMap(({ broken }) => broken),
    repeats: sum(({ repeats }) => repeats),
    unstable: sum(({ unstable }) => unstable),
    different: sum(({ different }) => different),
    deadHandles: sum(({ deadHandles }) => deadHandles),
  };
}

/** Messages of all replays, and how many of them the store gave back unchanged. */
export function totalStored(files: readonly FileResult[]): Stored {
  const all = files.flatMap(({ stored }) => stored ?? []);
  const sum = (pick: (own: Stored) => number) => all.reduce((total, own) => total + pick(own), 0);
  return { messages: sum(({ messages }) => messages), same: sum(({ same }) => same) };
}
