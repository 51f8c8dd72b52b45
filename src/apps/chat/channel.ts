// Where people talk. The runtime knows nothing else of Telegram or a terminal.
import type { Lease } from './store/lease.ts';
import type { Item } from './store/rows.ts';
import type { Progress } from './turn/turn-run.ts';

/** An item at work: shown as that, with the answer as it grows. */
export interface Live extends Progress {
  /** No more is shown when this resolves. */
  end(): Promise<void>;
}

export interface Work {
  readonly item: Item;
  readonly lease: Lease;
  readonly signal: AbortSignal;
  /** Ends the turn for the person who waits: it is closed, not left for later. */
  readonly stop: () => void;
}

export interface Channel {
  /** Items of this source are its own. */
  readonly source: string;
  /** An answer as messages of the platform. At least one. */
  split(text: string): readonly string[];
  begin(work: Work): Live;
  /** Brings what is recorded in the outbox to the person; resolves when every message is there, or can never be. Called again after a crash. */
  deliver(work: Omit<Work, 'stop'>): Promise<void>;
}
