// What every part of one plan looks at: the entries, their steps, which result answers which call, what is repeated.
import type { Entry } from '../transcript/entry.ts';
import { isGenuineUser } from '../transcript/genuine.ts';
import { deriveSteps, type Step, safeCutsOfSteps } from '../transcript/steps.ts';
import { type Pairing, pairCalls } from './pairing.ts';
import { findRepeats, type Repeat } from './repeats.ts';
import { type EntryWorkCache, Workbench } from './work.ts';

export interface Scope {
  readonly entries: readonly Entry[];
  readonly steps: readonly Step[];
  /** Positions at which a kept part may begin. */
  readonly cuts: ReadonlySet<number>;
  readonly pairing: Pairing;
  readonly repeats: ReadonlyMap<number, Repeat>;
  readonly bench: Workbench;
  readonly canOpenHandles: boolean;
  /** Positions of everything a person said. */
  readonly asks: readonly number[];
  /** Position of the first and the newest thing a person said; undefined when nobody said anything. */
  readonly firstAsk?: number;
  readonly newestAsk?: number;
}

export interface ScopeRequest {
  readonly entries: readonly Entry[];
  readonly canOpenHandles: boolean;
  readonly refusedFolds: readonly string[];
  readonly work?: EntryWorkCache;
}

/** Types of opaque parts that stand for everything before them: a summary of ours must not swallow them. */
const BARRIER_TYPE = /compact|context_management|item_reference/i;

function barrier(entries: readonly Entry[]): number {
  const found = entries.findIndex(({ message }) => message.parts.some((part) => part.kind === 'opaque' && BARRIER_TYPE.test(part.type)));
  return found < 0 ? entries.length : found;
}

/** Looks at a chain once. Linear. */
export function deriveScope(request: ScopeRequest): Scope {
  const { entries } = request;
  const steps = deriveSteps(entries);
  const pairing = pairCalls(entries);
  const refused = new Set(request.refusedFolds);
  const last = barrier(entries);
  const cuts = safeCutsOfSteps(entries, steps).filter((cut) => cut <= last && !refused.has(entries[cut - 1]!.chain));
  const asks = entries.filter(isGenuineUser).map(({ position }) => position);
  return {
    entries,
    steps,
    cuts: new Set(cuts),
    pairing,
    repeats: findRepeats(entries, pairing),
    bench: new Workbench(request.work),
    canOpenHandles: request.canOpenHandles,
    asks,
    firstAsk: asks[0],
    newestAsk: asks.at(-1),
  };
}
