// Waits for a ring, or for a time when that is sooner.

export class Bell {
  #isRung = false;
  #wake: (() => void) | undefined;

  /** Ends the wait that is going on, or the next one. */
  ring(): void {
    this.#isRung = true;
    this.#wake?.();
  }

  async wait(ms?: number): Promise<void> {
    if (!this.#isRung) {
      await new Promise<void>((resolve) => {
        const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#wake = undefined;
    this.#isRung = false;
  }
}
