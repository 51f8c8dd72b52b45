// The guard: the one durable record that decides whether automatic compaction may run. Types and constants only.
// The rules are in evaluate.ts (asking) and reduce.ts (events); nothing here has a memory, a clock or I/O.

/** What a mark and a rest are measured in. */
export type Unit = 'tokens' | 'messages';

export type RestReason = 'ineffective' | 'refill' | 'nothing_to_compact' | 'undone';

/** The only thing that blocks. */
export interface Rest {
  readonly reason: RestReason;
  readonly sinceMs: number;
  readonly periodMs: number;
  /** Context size (or message count) when it began. */
  readonly size: number;
  /** Growth beyond `size` that ends it. */
  readonly step: number;
}

/** What belongs to one unit: rest, refill streak, newest automatic commit, back-off level. */
export interface UnitState {
  readonly rest?: Rest;
  /** Automatic compactions in a row that did not last. */
  readonly refills: number;
  /** Newest automatic commit: the mark that made it due and its watermark (a chain hash). */
  readonly last?: { readonly mark: number; readonly watermark: string };
  /** Rests of reason 'ineffective' or 'refill' in a row; picks the period. */
  readonly level: number;
}

/** The attempt in progress; also the claim of a probe. */
export interface Lease {
  readonly attemptId: string;
  readonly fence: number;
  /** A summarizer path, or 'facts', or 'none'. */
  readonly path: string;
  /** Of the claim or the last renewal. */
  readonly sinceMs: number;
  /** Of the claim; a row without it reads as `sinceMs`. */
  readonly claimedAtMs?: number;
}

/** Cooling of one summarizer path after failures. */
export interface Cooling {
  readonly failures: number;
  readonly sinceMs: number;
  readonly periodMs: number;
  /** The deadline under which it failed; it binds only asks whose own deadline is not longer. */
  readonly deadlineMs: number;
  readonly reason: string;
}

/** One record per guard key (the id of the conversation in which it began). A missing row reads as {@link EMPTY_GUARD}. */
export interface Guard {
  /** Bumped by every write; compare-and-swap. */
  readonly version: number;
  /** Newest view-changing event (commit or undo) under this key. */
  readonly view?: string;
  /** Bumped by every claim, never lowered. */
  readonly fence: number;
  readonly lease?: Lease;
  /** An automatic commit not yet judged; always about `view`. */
  readonly pending?: { readonly mark: number; readonly model: string; readonly sinceMs: number };
  /** Automatic compactions in a row that a provider proved ineffective. */
  readonly strikes: number;
  /** What the strikes were judged on; present exactly when strikes > 0. */
  readonly proof?: { readonly size: number; readonly mark: number; readonly models: readonly string[] };
  readonly tokens: UnitState;
  readonly messages: UnitState;
  readonly paths: Readonly<Record<string, Cooling>>;
}

export const EMPTY_UNIT: UnitState = { refills: 0, level: 0 };

export const EMPTY_GUARD: Guard = { version: 0, fence: 0, strikes: 0, tokens: EMPTY_UNIT, messages: EMPTY_UNIT, paths: {} };

/** Named options of the guard, with their defaults in {@link GUARD_DEFAULTS}. Times in milliseconds, shares of the mark. */
export interface GuardOptions {
  /** Proven ineffective compactions in a row after which automatic work rests. */
  readonly strikeLimit: number;
  /** Compactions in a row that did not last, after which it rests. */
  readonly refillLimit: number;
  /** Period of a rest by level; the last repeats. */
  readonly restMs: readonly number[];
  /** Rest after an attempt that found nothing to compact. */
  readonly noopRestMs: number;
  /** Rest after an undo. */
  readonly undoRestMs: number;
  /** Longest that the next attempt waits for the provider's number on the last one. */
  readonly verdictWaitMs: number;
  /** Cooling of a path by failures − 1; the last repeats. */
  readonly coolMs: readonly number[];
  /** An attempt that is not renewed for so long is taken for dead. */
  readonly leaseMs: number;
  /** Distance of renewals. */
  readonly renewMs: number;
  /** Longest a lease is renewed in all. */
  readonly leaseCapMs: number;
  /** Growth since the last compaction, as a share of the mark, from which it lasted; and the growth that ends a rest early. */
  readonly longGrowthShare: number;
  /** Growth below which it did not last. */
  readonly shortGrowthShare: number;
  /** Models that a proof names; at so many it binds all. */
  readonly proofModels: number;
}

export const GUARD_DEFAULTS: GuardOptions = {
  strikeLimit: 2,
  refillLimit: 3,
  restMs: [300_000, 600_000, 1_200_000, 2_400_000, 3_600_000],
  noopRestMs: 300_000,
  undoRestMs: 3_600_000,
  verdictWaitMs: 300_000,
  coolMs: [60_000, 300_000, 900_000],
  leaseMs: 60_000,
  renewMs: 20_000,
  leaseCapMs: 180_000,
  longGrowthShare: 0.2,
  shortGrowthShare: 0.1,
  proofModels: 4,
};

export type AskKind = 'automatic' | 'background' | 'manual' | 'overflow';

/** A question to the guard. */
export interface Ask {
  readonly kind: AskKind;
  readonly unit: Unit;
  /** Context size (or message count) of the request. */
  readonly size: number;
  /** What makes it due: threshold, soft mark, or message limit. */
  readonly mark: number;
  readonly model: string;
  /** size − floor: an upper bound of what can be gained. */
  readonly gain: number;
  /** Smallest gain worth a model call or an attempt, tokens (or messages). */
  readonly minGain: number;
  /** Summarizer paths in chain order with the deadline each would run under; empty = facts only. */
  readonly paths: readonly { readonly path: string; readonly deadlineMs: number }[];
}

export type BlockReason = 'guard_ineffective' | 'guard_refill' | 'guard_nothing_to_compact' | 'guard_undone';
export type DeferReason = 'store_unavailable' | 'in_progress' | 'verdict_pending';

/** The answer. `paths` are the summarizer paths that may be tried, in order; empty = the facts path. */
export type Decision =
  | { readonly decision: 'not_due' }
  | { readonly decision: 'deferred'; readonly reason: DeferReason; readonly retryAtMs?: number }
  | { readonly decision: 'blocked'; readonly reason: BlockReason; readonly retryAtMs: number; readonly retryTokens: number }
  | { readonly decision: 'allow' | 'probe'; readonly paths: readonly string[] };

/** What an answer to a request says about the view it was rendered through. */
export interface Reading {
  /** Newest view-changing event in the view the request was built from; undefined = none. */
  readonly view?: string;
  /** Estimate of the entries of the request that lie after the watermark of `view`, tokens. */
  readonly grown: number;
  /** Measured prompt size, tokens; undefined when usage is missing or flagged. */
  readonly size?: number;
  readonly model: string;
}

/** Failed summarizer paths of an attempt. */
export interface FailedPath {
  readonly path: string;
  readonly deadlineMs: number;
  readonly reason: string;
}

/** What happens to the guard. Each is `(guard, event, now) → result`. */
export type GuardEvent =
  | { readonly type: 'claim'; readonly ask: Ask; readonly attemptId: string; readonly path: string }
  | { readonly type: 'renew'; readonly fence: number }
  | { readonly type: 'path'; readonly fence: number; readonly path: string }
  /** F1 and F2. `isAborted` is F2: the path under way is listed in `failed`. Also used when a commit could not be written (reason 'store'). */
  | { readonly type: 'end-failed'; readonly fence: number; readonly failed: readonly FailedPath[]; readonly isAborted: boolean }
  /**
   * F3: nothing to fold, would grow, below minGain, message target out of reach. The last one is the engine's half of C6: a plan of unit
   * 'messages' that leaves more than 75 % of the limit is never committed, it ends here.
   */
  | { readonly type: 'end-noop'; readonly fence: number; readonly ask: Ask; readonly failed: readonly FailedPath[] }
  /** F4: lost the base. */
  | { readonly type: 'end-superseded'; readonly fence: number }
  | {
      readonly type: 'commit';
      readonly fence: number;
      readonly baseView: string | undefined;
      /** Becomes `guard.view`. */
      readonly viewId: string;
      readonly ask: Ask;
      /** Chain hash of the last entry the plan saw. */
      readonly watermark: string;
      /** Estimated tokens (unit 'messages': messages) of this chain after the given watermark; one that is not in the chain reads as its first entry. */
      readonly growthAfter: (watermark: string) => number;
      readonly failed: readonly FailedPath[];
      /** The path whose summary is committed, if a model wrote it. */
      readonly modelPath?: string;
    }
  /** C2. Needs no lease; any running attempt loses its base. `usable` in tokens. */
  | { readonly type: 'undo'; readonly viewId: string; readonly size: number; readonly usable: number; readonly minGain: number }
  | { readonly type: 'observe'; readonly reading: Reading }
  /** O8: a provider's overflow of a request, before its recovery claims. */
  | { readonly type: 'overflow-verdict'; readonly reading: Reading; readonly actual?: number; readonly limit?: number };

/** The result of an event. `guard` is the same object when nothing changes (then nothing is written). */
export interface GuardResult {
  readonly guard: Guard;
  /** accepted: the event took effect. refused: a claim not allowed, a fence or base lost. */
  readonly status: 'accepted' | 'refused';
  /** For a claim: the decision it was made on. */
  readonly decision?: Decision;
}
