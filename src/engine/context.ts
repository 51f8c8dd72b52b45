// What every engine step is given: ports, options, and the process's own small conveniences. Nothing here decides.
import type { WireCodec } from '../core/codec.ts';
import type { GuardOptions } from '../core/guard/guard.ts';
import type { View } from '../core/plan/view.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Store } from '../ports/store.ts';
import type { Summarizer } from '../ports/summarizer.ts';
import { type AfterResponse, createAfterResponse } from './after-response.ts';
import { type BackgroundWork, createBackgroundWork } from './background-work.ts';
import { createEmitter, type Emitter } from './events.ts';
import { guardOptions, summarizersOf, type UllageOptions } from './options.ts';
import type { Wire } from './wire.ts';

export interface Context {
  readonly options: UllageOptions;
  readonly store: Store;
  readonly wire: Wire;
  readonly codec: WireCodec;
  readonly clock: Clock;
  readonly log: Log;
  readonly tenant: string;
  readonly route: string;
  readonly guardOptions: GuardOptions;
  readonly summarizers: readonly Summarizer[];
  readonly emitter: Emitter;
  /** What runs while nobody waits. */
  readonly background: BackgroundWork;
  /** What an answer leaves to be done once it is on its way. */
  readonly afterResponse: AfterResponse;
  /** Views never change once committed, so a copy decides nothing that the store would not. */
  readonly views: Map<string, View>;
  /** Conditions that a person should see; `guard()` shows `lastFault`. */
  readonly health: { lastFault?: string };
  readonly newId: () => string;
  readonly digest: (text: string) => string;
}

const silentLog: Log = { write: () => {} };

/** What stands in for ports that the caller does not bring. */
export interface System {
  readonly clock: Clock;
  readonly digest: (text: string) => string;
  readonly newId: () => string;
  /** Resolves when what the event loop has at hand is done. */
  readonly nextTurn: () => Promise<void>;
}

export function createContext(options: UllageOptions, wire: Wire, system: System): Context {
  const log = options.log ?? silentLog;
  return {
    options,
    store: options.store,
    wire,
    codec: wire.codecFor(options.api),
    clock: options.clock ?? system.clock,
    log,
    tenant: options.tenant ?? 'local',
    route: options.route ?? options.api,
    guardOptions: guardOptions(options),
    summarizers: summarizersOf(options.summarizer),
    emitter: createEmitter((event, error) => log.write('error', `A listener of ${event} threw.`, { error: String(error) })),
    background: createBackgroundWork((error) => log.write('error', 'Work in the background failed.', { error: String(error) })),
    afterResponse: createAfterResponse(system.nextTurn, (error) =>
      log.write('error', 'Work after an answer failed.', { error: String(error) }),
    ),
    views: new Map(),
    health: {},
    newId: options.newId ?? system.newId,
    digest: options.digest ?? system.digest,
  };
}

/** The name of a summarizer: its cooling and its cost are kept under it. */
export function pathOf(summarizer: Summarizer, index: number): string {
  return summarizer.id ?? `summarizer:${index}`;
}
