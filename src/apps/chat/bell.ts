// Waits for a ring or for a time, whichever is first.

export class Bell {
  #isRung = false;
  #wake: (() => void) | undefined;

  /** Ends the wait that is going on, or the next one. */
  ring(): void {
    this.#isRung = true;
    this.#wake?.();
  }

  async wait(ms: number): Promise<void> {
    if (!this.#isRung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
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
