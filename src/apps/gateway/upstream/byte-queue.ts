// Bytes from a socket to one reader: chunks keep their size and order, and a reader that is slow stops the socket.

/** What stops and starts the source. */
export interface Source {
  pause(): void;
  resume(): void;
  /** The reader left. */
  cancel(): void;
}

/** Bytes waiting before the source is stopped. */
const PAUSE_AT_BYTES = 64 * 1024;

export class ByteQueue implements AsyncIterableIterator<Uint8Array> {
  private readonly chunks: Uint8Array[] = [];
  private sizeBytes = 0;
  private isPaused = false;
  private end: { readonly error?: unknown } | undefined;
  private waiting: { resolve(result: IteratorResult<Uint8Array>): void; reject(error: unknown): void } | undefined;
  private readonly source: Source;

  constructor(source: Source) {
    this.source = source;
  }

  push(chunk: Uint8Array): void {
    const { waiting } = this;
    if (waiting) {
      this.waiting = undefined;
      waiting.resolve({ value: chunk, done: false });
      return;
    }
    this.chunks.push(chunk);
    this.sizeBytes += chunk.byteLength;
    if (this.isPaused || this.sizeBytes < PAUSE_AT_BYTES) return;
    this.isPaused = true;
    this.source.pause();
  }

  /** No more comes; with an error: it was cut. What waits is still read. */
  close(error?: unknown): void {
    this.end ??= { error };
    const { waiting } = this;
    if (!waiting) return;
    this.waiting = undefined;
    if (this.end.error === undefined) waiting.resolve({ value: undefined, done: true });
    else waiting.reject(this.end.error);
  }

  next(): Promise<IteratorResult<Uint8Array>> {
    const value = this.chunks.shift();
    if (value) return Promise.resolve({ value: this.taken(value), done: false });
    if (!this.end) return new Promise((resolve, reject) => (this.waiting = { resolve, reject }));
    const { error } = this.end;
    return error === undefined ? Promise.resolve({ value: undefined, done: true }) : Promise.reject(error);
  }

  return(): Promise<IteratorResult<Uint8Array>> {
    const isOver = this.end !== undefined;
    this.chunks.length = 0;
    this.close();
    if (!isOver) this.source.cancel();
    return Promise.resolve({ value: undefined, done: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private taken(chunk: Uint8Array): Uint8Array {
    this.sizeBytes -= chunk.byteLength;
    if (this.isPaused && this.sizeBytes < PAUSE_AT_BYTES / 2) {
      this.isPaused = false;
      this.source.resume();
    }
    return chunk;
  }
}
