// Where people talk. The runtime knows nothing else of Telegram or a terminal.
import type { Lease } from './store/lease.ts';
import type { FileRef, Item } from './store/rows.ts';
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

/** The platform does not give a file, and never will; the message tells people why, as the end of a sentence. */
export class FileRefused extends Error {}

/** The bytes of a file; undefined when they are more than may be taken. Throws FileRefused; whatever else it throws may pass. */
export type FetchFile = (file: FileRef, maxBytes: number, signal: AbortSignal) => Promise<Uint8Array | undefined>;

export interface Channel {
  /** Items of this source are its own. */
  readonly source: string;
  /** An answer as messages of the platform. At least one. */
  split(text: string): readonly string[];
  /** Where files can come along with words. */
  readonly fetchFile?: FetchFile;
  begin(work: Work): Live;
  /** Brings what is recorded in the outbox to the person; resolves when every message is there, or can never be. Called again after a crash. */
  deliver(work: Omit<Work, 'stop'>): Promise<void>;
}
