// A request that was sent and not answered yet, as this process holds it: what `recover` needs to send it again, changed.
import type { BodyInput } from './intake.ts';
import type { PreparedRequest } from './prepare.ts';
import type { RequestState } from './request.ts';

export interface InFlight {
  /** The caller's body, its output number lowered where a provider asked for that. */
  readonly body: BodyInput;
  readonly model?: string;
  readonly state: RequestState;
  /** Size of what was sent, tokens. */
  readonly tokens: number;
  /** Every text sent for this request: none of them goes out twice. */
  readonly sent: readonly string[];
}

export function inFlightOf(
  request: PreparedRequest,
  from: Pick<InFlight, 'body' | 'model'> & { readonly sent?: readonly string[] },
): InFlight {
  const { prepared, state } = request;
  const { body, model, sent = [] } = from;
  return { body, model, state, tokens: prepared.context.tokens, sent: [...sent, prepared.text] };
}

/** Requests held for `recover` by hand; of more than these at once the oldest is forgotten, and its error only surfaces. */
const HELD_REQUESTS = 32;

/** Which requests of a session are under way in this process. It saves a body from being prepared again; it decides nothing. */
export class InFlights {
  private readonly held = new Map<string, InFlight>();

  hold(id: string, inFlight: InFlight): void {
    if (this.held.size >= HELD_REQUESTS) this.held.delete(this.held.keys().next().value!);
    this.held.set(id, inFlight);
  }

  /** Takes it out: an error is recovered once. */
  take(id: string): InFlight | undefined {
    const inFlight = this.held.get(id);
    this.held.delete(id);
    return inFlight;
  }
}
