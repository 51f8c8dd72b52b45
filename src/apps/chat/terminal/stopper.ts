// Ctrl-C during an answer: ends the turn at hand, and nothing else.
import type { Channel } from '../channel.ts';

export class Stopper {
  #stop: (() => void) | undefined;

  /** True when there was something to stop. */
  stop(): boolean {
    const stop = this.#stop;
    this.#stop = undefined;
    stop?.();
    return stop !== undefined;
  }

  /** The channel, with what it works on to be stopped from here. */
  around(channel: Channel): Channel {
    return {
      ...channel,
      begin: (work) => {
        const live = channel.begin(work);
        this.#stop = work.stop;
        const end = () => {
          this.#stop = undefined;
          return live.end();
        };
        return { ...live, end };
      },
    };
  }
}
