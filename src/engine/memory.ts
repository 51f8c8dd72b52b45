// What a session object remembers between its calls. It saves work and words; it decides nothing.
import { emptyLastBody, type LastBody } from './intake.ts';

/** What a session remembers between its calls; it decides nothing. */
export interface SessionMemory {
  /** Another one after the session was deleted and its key is used again. */
  sessionId: string;
  /** Not stored yet when it was opened: its first request that is kept stores it. */
  isNew?: boolean;
  /** `<key>@<api>` for one that stands beside a session of another API. */
  key: string;
  readonly last: LastBody;
  /** Last floor or block that was reported: events and log lines only when it changes. */
  lastReason?: string;
  /** Last model of unknown window that was warned of. */
  warnedModel?: string;
  /** Answers whose entries have no full-text row yet, as far as this object knows. */
  unindexedAnswers?: number;
  /** Resolves when all answers that were handed on are observed. */
  answered?: Promise<unknown>;
}

export function createMemory(sessionId: string, key: string): SessionMemory {
  return { sessionId, key, last: emptyLastBody() };
}
