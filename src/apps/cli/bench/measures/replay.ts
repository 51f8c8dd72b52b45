// Cost replay: a whole transcript, one request before each burst of the agent, in a small window. Cached is what a request has in common
// with the one before it. Ullage plays with its real engine and store, which must give back what it was given (strategy-replay.ts: others).
import { sqliteStore } from '../../../../adapters/sqlite/index.ts';
import type { Store } from '../../../../ports/store.ts';
import { codecFor, messageTexts } from '../../../../wire/index.ts';
import type { Transcript } from '../../formats/index.ts';
import { type History, readHistory } from '../../replay/history.ts';
import { type Play, playTranscript } from '../../replay/play.ts';
import type { LoadedRequest } from '../../shared/load-transcript.ts';
import type { Sent } from './prices.ts';

/** Start of the simulated clock: any fixed moment. */
const START_MS = Date.UTC(2024, 0, 1);

const TENANT = 'local';
const KEY = 'bench';

/** A transcript to play, whole: also what comes after its agent's own compactions. */
export interface ReplayPlan {
  readonly loaded: LoadedRequest;
  readonly history: History;
  readonly windowTokens: number;
}

/** What was sent, added up. */
export interface Replayed {
  readonly sent: Sent;
  /** Never compacting, as if everything fitted. */
  readonly never: Sent;
  readonly requests: number;
  readonly compactions: number;
  /** Requests that nothing could make fit, or that were sent larger than the window. */
  readonly overWindow: number;
}

export interface EngineReplay extends Replayed {
  readonly stored: Stored;
  /** Budgets the engine derived, tokens of the whole request. */
  readonly threshold: number;
  readonly target: number;
}

/** What the store gives back of what was sent. */
export interface Stored {
  readonly messages: number;
  /** Of them, byte for byte the caller's own. */
  readonly same: number;
}

export function planReplay(name: string, transcript: Transcript, windowTokens: number): ReplayPlan {
  const codec = codecFor(transcript.api);
  const loaded = { name, transcript, codec, body: codec.decodeBody(transcript.bodyText) };
  return { loaded, history: readHistory(loaded), windowTokens };
}

/** Plays it through the engine with its defaults; undefined when nothing becomes due, or when no request fits the window. */
export async function replayWithEngine(
  { loaded, history, windowTokens }: ReplayPlan,
  threshold: number,
): Promise<EngineReplay | undefined> {
  if (history.peakTokens < threshold * windowTokens) return undefined;
  const store = sqliteStore(':memory:');
  await store.open();
  try {
    const options = { history, windowTokens, policy: {}, store, key: KEY, startMs: START_MS, now: () => 0 };
    const play = await playTranscript(loaded, options);
    return engineReplayOf(play, await compareStored(store, { loaded, history }));
  } finally {
    await store.close();
  }
}

/** Of what the last request held. What does not come back counts as well. */
async function compareStored(store: Store, { loaded, history }: Pick<ReplayPlan, 'loaded' | 'history'>): Promise<Stored> {
  const { body } = loaded;
  const asked = messageTexts(body).slice(body.preambleCount, history.requests.at(-1)?.messages ?? 0);
  const session = await store.findSession({ tenant: TENANT, key: KEY });
  const conversationId = session?.currentConversationId;
  if (session === undefined || conversationId === undefined) return { messages: asked.length, same: 0 };
  const { conversation } = await store.loadConversation({ tenant: TENANT, conversationId });
  const tip = conversation?.tip?.chain;
  const entries = tip === undefined ? [] : await store.readEntries({ tenant: TENANT, sessionId: session.sessionId, tip });
  return { messages: Math.max(asked.length, entries.length), same: entries.filter(({ raw }, index) => raw === asked[index]).length };
}

function engineReplayOf({ requests, budget }: Play, stored: Stored): EngineReplay | undefined {
  const compactions = requests.filter(({ outcome }) => outcome?.status === 'compacted').length;
  const overWindow = requests.filter(({ sent }) => sent === undefined).length;
  if (budget === undefined || (compactions === 0 && overWindow === 0)) return undefined;
  return {
    // What could not be made to fit is never free: it counts whole and uncached.
    sent: addUp(requests.map(({ sent, historyTokens }) => sent ?? { tokens: historyTokens, cachedTokens: 0 })),
    never: neverCompacting(requests.map(({ historyTokens }) => historyTokens)),
    requests: requests.length,
    compactions,
    overWindow,
    stored,
    threshold: budget.threshold,
    target: budget.target,
  };
}

/** Every request repeats the one before it and adds to it. */
export function neverCompacting(history: readonly number[]): Sent {
  return addUp(history.map((tokens, index) => ({ tokens, cachedTokens: Math.min(tokens, history[index - 1] ?? 0) })));
}

/** Sums. */
export function addUp(all: readonly Sent[]): Sent {
  return all.reduce((sum, { tokens, cachedTokens }) => ({ tokens: sum.tokens + tokens, cachedTokens: sum.cachedTokens + cachedTokens }), {
    tokens: 0,
    cachedTokens: 0,
  });
}
