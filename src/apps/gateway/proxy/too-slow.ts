// The refusal of a client that stops in the middle of its request.
import { GatewayFault } from '../fault.ts';

/** `idleMs` is how long nothing came. */
export function tooSlow(idleMs: number): GatewayFault {
  return new GatewayFault('body_too_slow', {
    status: 408,
    message: `nothing came for ${Math.round(idleMs / 1000)} s, and the body is not complete.`,
    hint: 'Send it again.',
  });
}
