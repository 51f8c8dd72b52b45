// Which call a result answers and the other way round, by place.
import type { CallPart, Entry, ResultPart } from '../transcript/entry.ts';
import { matchCalls } from '../transcript/match.ts';

/** A part and where it stands. */
export interface Place<T> {
  readonly position: number;
  readonly part: number;
  readonly call: T;
}

export interface ResultPlace {
  readonly position: number;
  readonly part: number;
  readonly result: ResultPart;
}

const MOST_PARTS = 2 ** 20;

/** One number for a part of an entry. */
export function placeKey(position: number, part: number): number {
  return position * MOST_PARTS + part;
}

/** Keys are {@link placeKey}. */
export interface Pairing {
  readonly callOf: ReadonlyMap<number, Place<CallPart>>;
  readonly resultOf: ReadonlyMap<number, ResultPlace>;
}

/** Pairs every answered call with its result. */
export function pairCalls(entries: readonly Entry[]): Pairing {
  const callOf = new Map<number, Place<CallPart>>();
  const resultOf = new Map<number, ResultPlace>();
  for (const { entry, part, answer } of matchCalls(entries).calls) {
    if (answer === undefined) continue;
    const call = entries[entry]!.message.parts[part];
    const result = entries[answer.entry]!.message.parts[answer.part];
    if (call?.kind !== 'call' || result?.kind !== 'result') continue;
    callOf.set(placeKey(answer.entry, answer.part), { position: entry, part, call });
    resultOf.set(placeKey(entry, part), { position: answer.entry, part: answer.part, result });
  }
  return { callOf, resultOf };
}
