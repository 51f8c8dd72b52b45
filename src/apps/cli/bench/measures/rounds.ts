// Five rounds of compact and append: what was planted in the first round must not fade, and the context must not grow.

import type { Api } from '../../../../core/transcript/entry.ts';
import { convertMessages } from '../../../../wire/convert.ts';
import { codecFor } from '../../../../wire/index.ts';
import { CUT_SHARES, cutsOf } from '../oracle/cuts.ts';
import { occursIn } from '../oracle/occurrence.ts';
import type { Compacted, Strategy } from '../strategies/strategy.ts';
import { type BenchTranscript, firstAskOf } from '../transcript/bench-transcript.ts';
import { entriesOf, tokensOfRaws } from '../transcript/entries.ts';
import { CANARY_DEPTHS, CANARY_TYPES, type Canary, type CanaryDepth, type CanaryType, type Planted, plantCanaries } from './canaries.ts';
import { contextText } from './retention.ts';

/** Rounds: one at each place a transcript is cut at, and one at its end. */
const ROUNDS = CUT_SHARES.length + 1;
/** Budget of every round: this share of the first one's messages, without what the user asked first, which is added. */
const BUDGET_SHARE = 0.25;
/** A smaller history has no room for canaries. */
const LEAST_TOKENS = 8_000;

/** Shares of 1. */
export interface Round {
  readonly survival: number;
  readonly depths: Readonly<Record<CanaryDepth, number | undefined>>;
  readonly types: Readonly<Record<CanaryType, number | undefined>>;
  /** Changed settings of which only the outdated value is shown; undefined when none could be planted. */
  readonly stale?: number;
  /** Size of the messages, of their budget. */
  readonly filled: number;
}

/** What the rounds are played on; undefined when the transcript is too short for five. */
export interface RoundsPlan {
  readonly transcript: BenchTranscript;
  readonly planted: Planted;
  /** Messages at the end of each round. */
  readonly ends: readonly number[];
  readonly budgetTokens: number;
}

export function planRounds(transcript: BenchTranscript): RoundsPlan | undefined {
  const { events, entries } = transcript;
  const tokens = entries.reduce((sum, entry) => sum + entry.tokens, 0);
  const ends = [...cutsOf(events).map((at) => events[at]!.message), entries.length];
  if (tokens < LEAST_TOKENS || ends.length < ROUNDS) return undefined;
  const planted = plantCanaries(transcript, ends[0]!);
  const first = planted.entries.slice(0, ends[0]);
  const askTokens = first[firstAskOf(transcript) ?? -1]?.tokens ?? 0;
  const rest = first.reduce((sum, entry) => sum + entry.tokens, -askTokens);
  return { transcript, planted, ends, budgetTokens: Math.floor(BUDGET_SHARE * rest + askTokens) };
}

/** Plays the rounds with one strategy. */
export async function playRounds(plan: RoundsPlan, strategy: Strategy): Promise<readonly Round[]> {
  const rounds: Round[] = [];
  let before: Compacted | undefined;
  let start = 0;
  for (const end of plan.ends) {
    const made: Compacted =
      strategy.isFedFromStore === true
        ? await fromStore(plan, strategy, { before, end })
        : await fromContext(plan, strategy, { before, start, end });
    rounds.push(roundOf(plan, made));
    before = made;
    start = end;
  }
  return rounds;
}

async function fromStore(
  plan: RoundsPlan,
  strategy: Strategy,
  at: { readonly before?: Compacted; readonly end: number },
): Promise<Compacted> {
  const { transcript, planted, budgetTokens } = plan;
  return strategy.compact({
    codec: transcript.codec,
    entries: planted.entries.slice(0, at.end),
    budgetTokens,
    firstAsk: firstAskOf(transcript),
    previous: at.before?.state,
  });
}

/** The strategy's own last context, with what came since behind it. */
async function fromContext(
  plan: RoundsPlan,
  strategy: Strategy,
  at: { readonly before?: Compacted; readonly start: number; readonly end: number },
): Promise<Compacted> {
  const { transcript, planted, budgetTokens } = plan;
  const api: Api = at.before?.api ?? transcript.codec.api;
  const codec = codecFor(api);
  const own = planted.entries.slice(at.start, at.end).map((entry) => entry.message.raw);
  const added = api === transcript.codec.api ? own : convertMessages(transcript.codec.api, api, own);
  const raws = [...(at.before?.messages ?? []), ...added];
  const ask = planted.entries[firstAskOf(transcript) ?? -1]?.message.raw;
  const firstAsk = ask === undefined ? -1 : raws.indexOf(ask);
  const entries = entriesOf(codec, raws);
  return strategy.compact({ codec, entries, budgetTokens, firstAsk: firstAsk < 0 ? undefined : firstAsk, previous: at.before?.state });
}

function roundOf({ transcript, planted, budgetTokens }: RoundsPlan, made: Compacted): Round {
  const codec = made.api === undefined ? transcript.codec : codecFor(made.api);
  const text = contextText(codec, [], made.messages);
  const found = planted.canaries.map((canary) => ({ ...canary, isFound: occursIn(text, canary.value) }));
  const shareOf = (own: readonly { readonly isFound: boolean }[]) =>
    own.length === 0 ? undefined : own.filter(({ isFound }) => isFound).length / own.length;
  const shares = <Name extends string>(names: readonly Name[], nameOf: (canary: Canary) => Name) =>
    Object.fromEntries(names.map((name) => [name, shareOf(found.filter((canary) => nameOf(canary) === name))])) as Record<
      Name,
      number | undefined
    >;
  const outdated = planted.changed.filter((value) => occursIn(text, value.outdated) && !occursIn(text, value.current));
  return {
    survival: shareOf(found) ?? 0,
    depths: shares(CANARY_DEPTHS, ({ depth }) => depth),
    types: shares(CANARY_TYPES, ({ type }) => type),
    stale: planted.changed.length === 0 ? undefined : outdated.length / planted.changed.length,
    filled: tokensOfRaws(codec, made.messages) / budgetTokens,
  };
}
