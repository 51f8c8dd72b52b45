// Places for large bodies: few at once, first come first served, nobody waits for ever.
import { GatewayFault, RETRY_AFTER_S } from '../fault.ts';

export class Slots {
  private free: number;
  private readonly waiting = new Set<(isGiven: boolean) => void>();
  private readonly count: number;
  private readonly maxWaitMs: number;

  constructor(count: number, maxWaitMs: number) {
    this.count = count;
    this.free = count;
    this.maxWaitMs = maxWaitMs;
  }

  /** Resolves with the way to give it back, which may be called again. Throws GatewayFault when none becomes free in time. */
  async take(signal: AbortSignal): Promise<() => void> {
    if (this.free > 0) this.free--;
    else if (!(await this.wait(signal))) {
      throw new GatewayFault('overloaded', {
        status: 503,
        message: `${this.count} large requests are under way already, and none ended in time.`,
        hint: 'Try again shortly.',
        retryAfterS: RETRY_AFTER_S,
      });
    }
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const [next] = this.waiting;
      if (next) next(true);
      else this.free++;
    };
  }

  private wait(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (isGiven: boolean) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', refuse);
        this.waiting.delete(settle);
        resolve(isGiven);
      };
      const refuse = () => settle(false);
      const timer = setTimeout(refuse, signal.aborted ? 0 : this.maxWaitMs);
      signal.addEventListener('abort', refuse, { once: true });
      this.waiting.add(settle);
    });
  }
}
