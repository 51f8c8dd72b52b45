// What every engine step is given: ports, options, and the process's own small conveniences. Nothing here decides.
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { GuardOptions } from '../core/guard/guard.ts';
import type { View } from '../core/plan/view.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Store } from '../ports/store.ts';
import type { Summarizer } from '../ports/summarizer.ts';
import type { WireCodec } from '../wire/codec.ts';
import { createEmitter, type Emitter } from './events.ts';
import { guardOptions, summarizersOf, type UllageOptions } from './options.ts';

export interface Context {
  readonly options: UllageOptions;
  readonly store: Store;
  readonly codec: WireCodec;
  readonly clock: Clock;
  readonly log: Log;
  readonly tenant: string;
  readonly route: string;
  readonly guardOptions: GuardOptions;
  readonly summarizers: readonly Summarizer[];
  readonly emitter: Emitter;
  /** Views never change once committed, so a copy decides nothing that the store would not. */
  readonly views: Map<string, View>;
  /** Conditions that a person should see; shown by `guard().health`. */
  readonly health: { store: 'ok' | 'unavailable'; lastFault?: string };
  readonly newId: () => string;
  readonly digest: (text: string) => string;
}

const systemClock: Clock = {
  now: () => Date.now(),
  wait: async (ms, signal) => void (await wait(ms, undefined, { signal })),
};

const silentLog: Log = { write: () => {} };

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export function createContext(options: UllageOptions, codec: WireCodec): Context {
  const log = options.log ?? silentLog;
  return {
    options,
    store: options.store,
    codec,
    clock: options.clock ?? systemClock,
    log,
    tenant: options.tenant ?? 'local',
    route: options.route ?? options.api,
    guardOptions: guardOptions(options),
    summarizers: summarizersOf(options.summarizer),
    emitter: createEmitter((event, error) => log.write('error', `A listener of ${event} threw.`, { error: String(error) })),
    views: new Map(),
    health: { store: 'ok' },
    newId: options.newId ?? (() => randomUUID().replaceAll('-', '')),
    digest: options.digest ?? sha256,
  };
}

/** The name of a summarizer: its cooling and its cost are kept under it. */
export function pathOf(summarizer: Summarizer, index: number): string {
  return summarizer.id ?? `summarizer:${index}`;
}
