// A request that was sent and not answered yet, as this process holds it: what `recover` needs to send it again, changed.
import type { BodyInput } from './intake.ts';
import type { PreparedRequest } from './prepared.ts';
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

/** Requests held for `recover` by hand; of more at once the oldest are forgotten, and their errors only surface. */
const HELD_REQUESTS = 32;

/** Characters of bodies held for them; of one very large request there is always room for one more. */
const HELD_CHARS = 600_000;

/** Which requests of a session are under way in this process. It saves a body from being prepared again; it decides nothing. */
export class InFlights {
  private readonly held = new Map<string, InFlight>();
  private chars = 0;

  hold(id: string, inFlight: InFlight): void {
    const size = sizeOf(inFlight);
    const limit = Math.max(HELD_CHARS, 2 * size);
    this.held.set(id, inFlight);
    this.chars += size;
    for (const oldest of this.held.keys()) {
      if (oldest === id || (this.held.size <= HELD_REQUESTS && this.chars <= limit)) return;
      this.take(oldest);
    }
  }

  /** Takes it out: an error is recovered once. */
  take(id: string): InFlight | undefined {
    const inFlight = this.held.get(id);
    if (inFlight && this.held.delete(id)) this.chars -= sizeOf(inFlight);
    return inFlight;
  }
}

/** Characters that holding it keeps in memory. A text that went out as it came is the body's own. */
function sizeOf({ state, sent }: InFlight): number {
  const body = state.intake.body.text;
  return body.length + sent.reduce((sum, text) => sum + (text === body ? 0 : text.length), 0);
}
