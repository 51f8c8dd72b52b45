// Plays a transcript: each request through the engine and a store, to a scripted provider. What happened comes back as plain data.
import { UllageError } from '../../../core/errors.ts';
import type { CompactionOutcome } from '../../../core/plan/outcome.ts';
import type { Budget } from '../../../core/size/budget.ts';
import type { PolicyOptions } from '../../../core/size/policy.ts';
import { createUllage } from '../../../create-ullage.ts';
import type { Prepared } from '../../../engine/prepared.ts';
import type { Session } from '../../../engine/session.ts';
import type { Store } from '../../../ports/store.ts';
import type { LoadedRequest } from '../shared/load-transcript.ts';
import { simulatedClock } from '../shared/simulated-clock.ts';
import { type History, type HistoryRequest, requestText } from './history.ts';
import { type Metered, scriptedProvider } from './provider.ts';

/** Time between two requests on the simulated clock: about what an agent's step takes. */
const STEP_MS = 30_000;

export interface PlayOptions {
  readonly history: History;
  readonly windowTokens: number;
  readonly policy: PolicyOptions;
  readonly store: Store;
  /** The session it is stored under; it must not hold a conversation yet. */
  readonly key: string;
  /** Start of the simulated clock, milliseconds since the epoch. */
  readonly startMs: number;
  /** Milliseconds from any start, for measuring how long the engine takes. */
  readonly now: () => number;
  readonly onRequest?: (done: number, total: number) => void;
  /** Sees each request as it is sent. */
  readonly onPrepared?: (prepared: Prepared) => void;
}

/** One request as it was sent. */
export interface PlayedRequest {
  /** Without any compaction. */
  readonly historyTokens: number;
  /** undefined when no request that fits could be made. */
  readonly sent?: Metered;
  readonly outcome?: CompactionOutcome;
  readonly prepareMs: number;
  /** Rules of the API that what was sent breaks. */
  readonly brokenRules: number;
  /** Why it was not sent. */
  readonly error?: { readonly code: string; readonly message: string };
}

export interface Play {
  readonly requests: readonly PlayedRequest[];
  /** Of the newest request. */
  readonly budget?: Budget;
}

export async function playTranscript(loaded: LoadedRequest, options: PlayOptions): Promise<Play> {
  const clock = simulatedClock(options.startMs);
  const { store, policy, windowTokens, history } = options;
  const ullage = createUllage({ store, policy, clock, api: loaded.codec.api, models: { window: windowTokens } });
  const session = await ullage.session(options.key);
  const provider = scriptedProvider(loaded.codec, windowTokens);
  const requests: PlayedRequest[] = [];
  let budget: Budget | undefined;
  for (const [index, request] of history.requests.entries()) {
    options.onRequest?.(index, history.requests.length);
    const played = await playRequest(loaded, request, {
      session,
      provider,
      now: options.now,
      onPrepared: (prepared) => {
        budget = prepared.budget;
        options.onPrepared?.(prepared);
      },
    });
    requests.push(played);
    clock.advance(STEP_MS);
  }
  return { requests, budget };
}

interface Stage {
  readonly session: Session;
  readonly provider: ReturnType<typeof scriptedProvider>;
  readonly now: () => number;
  readonly onPrepared: (prepared: Prepared) => void;
}

async function playRequest(loaded: LoadedRequest, request: HistoryRequest, stage: Stage): Promise<PlayedRequest> {
  const text = requestText(loaded, request.messages);
  let sent: Metered | undefined;
  let prepared: Prepared | undefined;
  let error: PlayedRequest['error'];
  let askedAtMs = stage.now();
  let prepareMs = 0;
  try {
    await stage.session.send(text, async (_, { prepared: own }) => {
      prepareMs += stage.now() - askedAtMs;
      prepared = own;
      stage.onPrepared(own);
      sent = undefined;
      const { usage, tokens, cachedTokens } = stage.provider.answer(own.text, request.answerTokens);
      sent = { tokens, cachedTokens };
      askedAtMs = stage.now();
      return { usage };
    });
  } catch (thrown) {
    if (!UllageError.is(thrown)) throw thrown;
    error = { code: thrown.code, message: thrown.message };
  }
  const brokenRules = prepared === undefined ? 0 : loaded.codec.validate(prepared.text).length;
  return { historyTokens: request.tokens, sent, outcome: prepared?.outcome, prepareMs, brokenRules, error };
}
