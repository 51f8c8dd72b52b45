// Events of compaction attempts for whoever embeds the library. A listener that throws stops nobody.
import type { CompactionOutcome } from '../core/plan/outcome.ts';

/** An attempt has the lease and begins. */
export interface CompactionStarted {
  readonly attemptId: string;
  readonly sessionId: string;
  readonly conversationId: string;
  readonly triggerReason: CompactionOutcome['triggerReason'];
  /** Size of the whole request before, tokens. */
  readonly oldRequestTokens: number;
}

/** Events by name, with what their listeners are given. An outcome like the one before it is not told again, unless it compacted. */
export interface UllageEvents {
  'compaction-started': CompactionStarted;
  'compaction-committed': CompactionOutcome;
  /** Failed and deferred attempts, and those that found nothing to gain. */
  'compaction-failed': CompactionOutcome;
  /** Blocked by the guard, or a floor that leaves nothing to gain. */
  'compaction-blocked': CompactionOutcome;
}

/** Names of {@link UllageEvents}. */
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
