// A request as it is handed to whoever answers it.
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Incoming {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly tenant: string;
  /** Aborts when the client left. */
  readonly signal: AbortSignal;
  /** Ends the request for another reason, which is told to the client. */
  readonly abort: (reason: Error) => void;
}
