// How often a chat is written to. A growing answer is edited now and then; everything else goes at once, unless the platform has said to wait
// (https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this).
import { setTimeout as wait } from 'node:timers/promises';
import type { Address } from '../store/rows.ts';

export class Pace {
  readonly #editableAtMs = new Map<string, number>();
  readonly #restingUntilMs = new Map<string, number>();
  readonly #everyMs: number;
  readonly #now: () => number;

  /** `everyMs`: least time between two edits of growing answers in one chat. `now`: a clock that is never set back, milliseconds. */
  constructor(everyMs: number, now: () => number) {
    this.#everyMs = everyMs;
    this.#now = now;
  }

  /** Whether a growing answer may be edited now; if so, the next one waits. */
  tryEdit(address: Address): boolean {
    const key = String(address.chat);
    const now = this.#now();
    if (Math.max(this.#editableAtMs.get(key) ?? 0, this.#restingUntilMs.get(key) ?? 0) > now) return false;
    this.#editableAtMs.set(key, now + this.#everyMs);
    return true;
  }

  /** Resolves when the platform lets this chat be written to. */
  async ready(address: Address, signal: AbortSignal): Promise<void> {
    const leftMs = (this.#restingUntilMs.get(String(address.chat)) ?? 0) - this.#now();
    if (leftMs > 0) await wait(leftMs, undefined, { signal });
  }

  /** Nothing goes to this chat for so long: the platform said so. */
  rest(address: Address, ms: number): void {
    this.#restingUntilMs.set(String(address.chat), this.#now() + ms);
  }
}
