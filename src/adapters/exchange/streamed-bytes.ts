// The bytes of a stream for whoever passes them on: one chunk for each that came, asked for one by one.
import type { ClosableBody } from './closable-body.ts';
import type { StreamItem } from './stream-items.ts';

/** Leaving early ends the upstream's answer, also while a chunk is being waited for, and also before the first. */
export function streamedBytes(items: AsyncIterable<unknown>, body: ClosableBody): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const source = items[Symbol.asyncIterator]() as AsyncIterator<StreamItem>;
      let isReading = false;
      const next = async (): Promise<IteratorResult<Uint8Array>> => {
        isReading = true;
        try {
          for (;;) {
            const { done, value } = await source.next();
            if (done) return { done: true, value: undefined };
            if (value.bytes.length > 0) return { done: false, value: value.bytes };
          }
        } finally {
          isReading = false;
        }
      };
      const end = async (): Promise<IteratorResult<Uint8Array>> => {
        // What waits for a chunk can only be told by the chunk's failing.
        if (isReading) await body.close();
        await source.return?.();
        await body.close();
        return { done: true, value: undefined };
      };
      return { next, return: end };
    },
  };
}
