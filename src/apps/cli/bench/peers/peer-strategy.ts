// A peer behind the shape that all strategies have: its setting is fitted so that it comes as close to the budget as it can from below.
import { convertMessages } from '../../../../wire/convert.ts';
import { codecFor } from '../../../../wire/index.ts';
import type { Compacted, Strategy, StrategyInput } from '../strategies/strategy.ts';
import { tokensOfRaws } from '../transcript/entries.ts';
import { type PeerAnswer, type PeerDeclaration, PeerTimeout } from './peer-process.ts';

/** Peers read and write Chat Completions messages: adapters turn them into what the peer has for it. */
const PEER_API = 'openai-chat';

/** Shares of the budget a summary may take. */
const SUMMARY_SHARES = [0.5, 0.25, 0.1];

/** One that hangs so many times is not asked any more: a run with many cuts would take hours. */
const MOST_TIMEOUTS = 3;

/** Answers questions, one at a time. */
export interface PeerChannel {
  ask(question: object): Promise<PeerAnswer>;
}

interface Attempt {
  readonly messages: readonly string[];
  readonly tokens: number;
}

/** What was tried on the conversation compacted last: the same setting gives the same at every budget. */
interface Tried {
  readonly entries: StrategyInput['entries'];
  readonly attempts: Map<string, Attempt | undefined>;
  readonly sizeOf: (raws: readonly string[]) => number;
}

export function peerStrategy(declared: PeerDeclaration, peer: PeerChannel): Strategy {
  let tried: Tried | undefined;
  let timeouts = 0;
  return {
    name: declared.name,
    isPeer: true,
    isUnaimed: true,
    async compact(input) {
      if (timeouts >= MOST_TIMEOUTS) throw new Error(`it did not answer in time ${timeouts} times and was not asked again`);
      if (tried === undefined || !isSame(tried.entries, input.entries)) {
        tried = { entries: input.entries, attempts: new Map(), sizeOf: memoizedSize() };
      }
      try {
        return await compact(input, { declared, peer, tried });
      } catch (error) {
        if (error instanceof PeerTimeout) timeouts += 1;
        throw error;
      }
    },
  };
}

function isSame(one: StrategyInput['entries'], other: StrategyInput['entries']): boolean {
  return one.length === other.length && one.at(-1) === other.at(-1);
}

interface Measured {
  readonly declared: PeerDeclaration;
  readonly peer: PeerChannel;
  readonly tried: Tried;
}

/** The largest context within the budget; the smallest one when none is. Rejects when the peer fails. */
async function compact({ codec, entries, budgetTokens }: StrategyInput, { declared, peer, tried }: Measured): Promise<Compacted> {
  const { name, hasSummary, ways = 1 } = declared;
  const raws = convertMessages(
    codec.api,
    PEER_API,
    entries.map((entry) => entry.message.raw),
  );
  const { levels = {} } = await peer.ask({ do: 'load', messages: raws.map((raw) => JSON.parse(raw)) });
  let best: Attempt | undefined;
  for (const [way, share] of (hasSummary === true ? SUMMARY_SHARES : Array.from({ length: ways }, () => 0)).entries()) {
    const attempt = async (level: number): Promise<Attempt | undefined> => {
      const question = { do: 'run', name, way, level, summaryTokens: Math.floor(share * budgetTokens) };
      const key = JSON.stringify(question);
      if (!tried.attempts.has(key)) tried.attempts.set(key, attemptOf(await peer.ask(question), tried.sizeOf));
      return tried.attempts.get(key);
    };
    best = await fitLevel({ levels: levels[name] ?? 1, budgetTokens, attempt, best });
    if (best !== undefined && best.tokens <= budgetTokens) break;
  }
  if (best === undefined) throw new Error('it refused every size');
  return { messages: best.messages, api: PEER_API };
}

function attemptOf({ messages }: PeerAnswer, sizeOf: Tried['sizeOf']): Attempt | undefined {
  // An empty list is no context: no API takes it, however well it fits.
  if (messages === undefined || messages.length === 0) return undefined;
  if (!Array.isArray(messages)) throw new Error('it gave no list of messages back');
  const made = messages.map((message) => JSON.stringify(message));
  return { messages: made, tokens: sizeOf(made) };
}

interface Fit {
  readonly levels: number;
  readonly budgetTokens: number;
  /** undefined = the peer refuses to make anything so small. */
  readonly attempt: (level: number) => Promise<Attempt | undefined>;
  /** Of an earlier fit. */
  readonly best?: Attempt;
}

/** Halves the levels, which grow; the best of what was met is taken, as not every peer grows evenly. */
async function fitLevel({ levels, budgetTokens, attempt, best: before }: Fit): Promise<Attempt | undefined> {
  let best = before;
  let low = 0;
  let high = levels - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const made = await attempt(middle);
    if (made !== undefined && (best === undefined || isCloser(made, best, budgetTokens))) best = made;
    if (made === undefined || made.tokens <= budgetTokens) low = middle + 1;
    else high = middle - 1;
  }
  return best;
}

function isCloser(one: Attempt, other: Attempt, budgetTokens: number): boolean {
  const isFitting = one.tokens <= budgetTokens;
  if (isFitting !== other.tokens <= budgetTokens) return isFitting;
  return isFitting ? one.tokens > other.tokens : one.tokens < other.tokens;
}

/** Most messages stay the same from one attempt to the next. */
function memoizedSize(): (raws: readonly string[]) => number {
  const codec = codecFor(PEER_API);
  const known = new Map<string, number>();
  return (raws) =>
    raws.reduce((sum, raw) => {
      const tokens = known.get(raw) ?? tokensOfRaws(codec, [raw]);
      known.set(raw, tokens);
      return sum + tokens;
    }, 0);
}
