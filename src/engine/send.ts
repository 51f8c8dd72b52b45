// The common case in one call: prepare, call, observe or recover (bounded), streams included.
import type { UllageError } from '../core/errors.ts';
import type { Prepared } from './prepare.ts';
import type { Recovery } from './recover.ts';
import { isStream, withObservedUsage } from './stream.ts';

export interface SendDoors {
  readonly prepare: () => Promise<Prepared>;
  readonly observe: (id: string, usage: unknown) => Promise<unknown>;
  readonly recover: (id: string, error: unknown) => Promise<Recovery>;
}

/** Calls the provider with the best body there is. An error that asks for it is recovered; all others are thrown as the provider gave them. */
export async function sendRequest<T>(doors: SendDoors, call: (prepared: Prepared) => Promise<T>): Promise<T> {
  let prepared = await doors.prepare();
  for (;;) {
    const { id } = prepared;
    try {
      const response = await call(prepared);
      if (isStream(response)) return (await withObservedUsage(response, (usage) => doors.observe(id, usage))) as T;
      await doors.observe(id, response);
      return response;
    } catch (error) {
      const recovery = await doors.recover(id, error);
      if (recovery.action === 'surface') throw surfaced(recovery.error, error);
      prepared = recovery.prepared;
    }
  }
}

/** Codes that tell more than the provider did; for all others its own error is thrown, unchanged. */
const TELLING = new Set(['context_window_exceeded', 'payload_too_large', 'floor_exceeds_window', 'compaction_deferred', 'output_cap']);

function surfaced(error: UllageError, original: unknown): unknown {
  return TELLING.has(error.code) ? error : original;
}
