// Events of compaction attempts for whoever embeds the library. A listener that throws stops nobody.
import type { CompactionOutcome } from '../core/plan/outcome.ts';

export interface CompactionStarted {
  readonly attemptId: string;
  readonly sessionId: string;
  readonly conversationId: string;
  readonly triggerReason: CompactionOutcome['triggerReason'];
  readonly oldRequestTokens: number;
}

export interface UllageEvents {
  'compaction-started': CompactionStarted;
  'compaction-committed': CompactionOutcome;
  /** failed and deferred attempts. */
  'compaction-failed': CompactionOutcome;
  /** blocked by the guard, or nothing can be gained (floor); emitted when the state changes. */
  'compaction-blocked': CompactionOutcome;
}

export type UllageEventName = keyof UllageEvents;

export interface Emitter {
  on<N extends UllageEventName>(name: N, listener: (event: UllageEvents[N]) => void): () => void;
  emit<N extends UllageEventName>(name: N, event: UllageEvents[N]): void;
}

/** `onError` is told what a listener threw. */
export function createEmitter(onError: (name: UllageEventName, error: unknown) => void): Emitter {
  const listeners = new Map<UllageEventName, Set<(event: never) => void>>();
  return {
    on(name, listener) {
      const set = listeners.get(name) ?? new Set();
      listeners.set(name, set.add(listener as (event: never) => void));
      return () => void set.delete(listener as (event: never) => void);
    },
    emit(name, event) {
      for (const listener of listeners.get(name) ?? []) {
        try {
          listener(event as never);
        } catch (error) {
          onError(name, error);
        }
      }
    },
  };
}
