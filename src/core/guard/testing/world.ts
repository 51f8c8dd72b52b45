// A small world for tests of the guard: one stored record, a transcript, agents with their own memory, requests in flight, a clock.
// Plain data and its arithmetic; what happens in it is in act.ts. A process that crashes loses its agent and nothing else.
import { type Ask, type AskKind, EMPTY_GUARD, type FailedPath, type Guard, type Unit } from '../guard.ts';

/** What stays the same in one world. All sizes in tokens. */
export interface Setup {
  readonly window: number;
  /** Threshold of each model. */
  readonly marks: Readonly<Record<string, number>>;
  /** Mark of background work. */
  readonly softMark: number;
  readonly messageLimit: number;
  /** System prompt and tools, as every estimate sees them. */
  readonly preamble: number;
  /** What the provider counts in every request and no estimate sees: with the preamble, the incompressible floor. */
  readonly hidden: number;
  readonly summary: number;
  /** Newest entries that a plan leaves alone. */
  readonly keep: number;
  readonly minGain: number;
  /** Summarizer paths in chain order. */
  readonly paths: Ask['paths'];
}

export const SETUP: Setup = {
  window: 1_000,
  marks: { m: 100 },
  softMark: 81,
  messageLimit: 1_000,
  preamble: 10,
  hidden: 0,
  summary: 10,
  keep: 1,
  minGain: 10,
  paths: [{ path: 'summarizer', deadlineMs: 20_000 }],
};

export interface ViewSketch {
  readonly id: string;
  readonly base: string | undefined;
  /** Entries before this one are covered by the summary. 0 = none. */
  readonly fold: number;
  /** Entries its plan saw. */
  readonly watermark: number;
}

/** A request on its way; with its view and growth it carries all that a reading needs, as `prepared.id` does. */
export interface Request {
  readonly id: number;
  readonly view: string | undefined;
  readonly grown: number;
  readonly size: number;
  readonly model: string;
}

/** An attempt as the process that runs it remembers it. */
export interface Attempt {
  readonly fence: number;
  readonly ask: Ask;
  readonly baseView: string | undefined;
  readonly fold: number;
  readonly watermark: number;
  /** Paths not tried yet. */
  readonly open: readonly string[];
  readonly failed: readonly FailedPath[];
  /** What will be committed. */
  readonly summary?: 'facts' | { readonly path: string };
}

/** Where a process stands. A decision was made on a record that may have changed since. */
export type Agent =
  | { readonly at: 'idle' }
  | { readonly at: 'decided'; readonly ask: Ask }
  | { readonly at: 'working'; readonly attempt: Attempt };

export const IDLE: Agent = { at: 'idle' };

/** What really happened, kept apart from the record, so that the record can be judged by it. */
export interface Ghost {
  /** The newest automatic token commit that no answer has judged. */
  readonly unjudged?: { readonly view: string; readonly mark: number; readonly model: string; readonly atMs: number };
  /** The view that last gave a strike. */
  readonly struck?: string;
  /** When each model last had its try at a tripped guard. */
  readonly probedAtMs: Readonly<Record<string, number>>;
  /** Automatic commits that may still be made at once, when nothing grows; a new one for every shortest rest. */
  readonly allowance: number;
}

export interface World {
  readonly setup: Setup;
  readonly nowMs: number;
  readonly guard: Guard;
  /** Tokens of each entry. The chain hash of entry n is `c<n>`. */
  readonly entries: readonly number[];
  readonly views: readonly ViewSketch[];
  readonly agents: readonly Agent[];
  readonly requests: readonly Request[];
  readonly ghost: Ghost;
  /** Numbers the requests. */
  readonly sent: number;
  /** Summary calls that were paid for. */
  readonly calls: number;
  /** Kinds of the commits made, oldest first. */
  readonly commits: readonly AskKind[];
}

/** Automatic commits that may happen at once when no verdict arrives and nothing grows (G9). */
export const FREE_COMMITS = 4;

/** Far from 0, so that a clock can be set back. */
const BEGIN_MS = 1_000_000_000;

export function createWorld(setup: Partial<Setup> = {}, agents = 2, entries: readonly number[] = [50, 50]): World {
  return {
    setup: { ...SETUP, ...setup },
    nowMs: BEGIN_MS,
    guard: EMPTY_GUARD,
    entries,
    views: [],
    agents: Array.from({ length: agents }, () => IDLE),
    requests: [],
    ghost: { allowance: FREE_COMMITS, probedAtMs: {} },
    sent: 0,
    calls: 0,
    commits: [],
  };
}

export function currentView(world: World): ViewSketch | undefined {
  return world.views.find(({ id }) => id === world.guard.view);
}

const sum = (entries: readonly number[]): number => entries.reduce((total, tokens) => total + tokens, 0);

/** Size of a request through a view, as the provider measures it. */
export function sizeThrough(world: World, view: Pick<ViewSketch, 'fold'> | undefined): number {
  const { preamble, hidden, summary } = world.setup;
  const fold = view?.fold ?? 0;
  return preamble + hidden + (fold > 0 ? summary : 0) + sum(world.entries.slice(fold));
}

export function messagesThrough(world: World, view: ViewSketch | undefined): number {
  const fold = view?.fold ?? 0;
  return world.entries.length - fold + (fold > 0 ? 1 : 0);
}

/** Tokens (or messages) after a chain hash; one that is not in this chain reads as its first entry. */
export function growthAfter(world: World, unit: Unit): (watermark: string) => number {
  return (watermark) => {
    const index = world.entries.findIndex((_, position) => chainAt(position) === watermark);
    const after = world.entries.slice(Math.max(index, 0) + 1);
    return unit === 'tokens' ? sum(after) : after.length;
  };
}

export const chainAt = (position: number): string => `c${position}`;

export interface Wish {
  readonly kind: AskKind;
  readonly unit: Unit;
  readonly model: string;
}

/** What a process would ask for a request of this moment. Its gain is an upper bound: it does not see the hidden floor. */
export function askOf(world: World, { kind, unit, model }: Wish): Ask {
  const { setup } = world;
  const view = currentView(world);
  const size = unit === 'tokens' ? sizeThrough(world, view) : messagesThrough(world, view);
  const tokenMark = kind === 'background' ? setup.softMark : (setup.marks[model] ?? 0);
  const mark = unit === 'tokens' ? tokenMark : setup.messageLimit;
  const gain = unit === 'tokens' ? size - setup.preamble - setup.summary : size;
  return { kind, unit, size, mark, model, gain, minGain: unit === 'tokens' ? setup.minGain : 1, paths: setup.paths };
}

/** A request of this moment, through any view. */
export function requestThrough(world: World, view: ViewSketch | undefined, model: string): Request {
  const grown = sum(world.entries.slice(view?.watermark ?? 0));
  return { id: world.sent, view: view?.id, grown, size: sizeThrough(world, view), model };
}
