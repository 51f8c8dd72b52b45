// Requests under way: how many there may be, and how they end when a client leaves or the gateway does.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { GatewayFault, RETRY_AFTER_S } from '../fault.ts';

export interface Flight {
  /** Aborts when the client left before its answer was complete, or the gateway gives up waiting. */
  readonly signal: AbortSignal;
  abort(reason: Error): void;
  end(): void;
}

export class InFlight {
  readonly limit: number;
  isClosing = false;
  /** All that were ever begun. */
  total = 0;
  private readonly flights = new Set<AbortController>();
  private onEmpty: (() => void) | undefined;

  constructor(limit: number) {
    this.limit = limit;
  }

  get count(): number {
    return this.flights.size;
  }

  /** undefined when there is no room, or the gateway is closing. */
  begin({ socket }: IncomingMessage, response: ServerResponse): Flight | undefined {
    if (this.isClosing || this.flights.size >= this.limit) return undefined;
    const controller = new AbortController();
    const onClose = () => {
      if (!response.writableFinished) controller.abort(new Error('The client closed the connection.'));
    };
    response.on('close', onClose);
    // An answer that waits for those before it on its connection does not hear of its end.
    if (!response.socket) socket.on('close', onClose);
    this.flights.add(controller);
    this.total++;
    return {
      signal: controller.signal,
      abort: (reason) => controller.abort(reason),
      end: () => {
        socket.off('close', onClose);
        this.flights.delete(controller);
        if (this.flights.size === 0) this.onEmpty?.();
      },
    };
  }

  /** Takes no more; resolves when none is left. */
  drain(): Promise<void> {
    this.isClosing = true;
    if (this.flights.size === 0) return Promise.resolve();
    return new Promise((resolve) => (this.onEmpty = resolve));
  }

  abortAll(): void {
    for (const controller of this.flights) controller.abort(shuttingDown());
  }
}

/** For requests that come, or are not done, when the gateway ends. */
export function shuttingDown(): GatewayFault {
  return new GatewayFault('shutting_down', {
    status: 503,
    message: 'this gateway is ending.',
    hint: 'Try again when it is started anew.',
    retryAfterS: RETRY_AFTER_S,
  });
}
