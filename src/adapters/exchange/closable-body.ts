// The body of one upstream response: read once, closed once, whoever is waiting for it.

/** Closing also ends a read that is under way. */
export interface ClosableBody extends AsyncIterable<Uint8Array> {
  close(): Promise<void>;
}

export interface Ending {
  /** Ends the request itself: a body that nobody began to read has no other way to end its connection. */
  abort(): void;
  /** Told once, however the body ends. */
  onOver(): void;
}

export function closableBody(body: AsyncIterable<Uint8Array>, ending: Ending): ClosableBody {
  const source = body[Symbol.asyncIterator]();
  let isOver = false;
  let isReading = false;
  const finish = (): void => {
    if (!isOver) ending.onOver();
    isOver = true;
  };
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    if (isOver) return { done: true, value: undefined };
    isReading = true;
    try {
      const result = await source.next();
      if (result.done) finish();
      return result;
    } catch (error) {
      finish();
      throw error;
    } finally {
      isReading = false;
    }
  };
  const close = async (): Promise<void> => {
    if (isOver) return;
    finish();
    const wasReading = isReading;
    ending.abort();
    const ended = Promise.resolve(source.return?.()).then(ignore, ignore);
    // A read that does not heed the abort would keep the end waiting.
    if (!wasReading) await ended;
  };
  const end = async (): Promise<IteratorResult<Uint8Array>> => {
    await close();
    return { done: true, value: undefined };
  };
  return { close, [Symbol.asyncIterator]: () => ({ next, return: end }) };
}

function ignore(): void {}

/** As much of a body as was asked for. */
export interface ReadBytes {
  /** Everything read so far, in the pieces it came in. */
  readonly pieces: readonly Uint8Array[];
  readonly sizeBytes: number;
  /** False when the body goes on behind the limit, or broke off. */
  readonly isWhole: boolean;
  /** What the body broke off with. */
  readonly fault?: { readonly error: unknown };
}

/** Reads up to a limit; the piece that goes over it is kept, so that nothing is lost. A fault is kept, too: it comes after what came before it. */
export async function readBytes(body: ClosableBody, limitBytes: number): Promise<ReadBytes> {
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  const reader = body[Symbol.asyncIterator]();
  try {
    while (sizeBytes <= limitBytes) {
      const { done, value } = await reader.next();
      if (done) return { pieces, sizeBytes, isWhole: true };
      pieces.push(value);
      sizeBytes += value.length;
    }
    return { pieces, sizeBytes, isWhole: false };
  } catch (error) {
    return { pieces, sizeBytes, isWhole: false, fault: { error } };
  }
}

/** What was read, then what is still to come, or what came instead. */
export function replay({ pieces, fault }: Pick<ReadBytes, 'pieces' | 'fault'>, body: ClosableBody): ClosableBody {
  let index = 0;
  const rest = body[Symbol.asyncIterator]();
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    const piece = pieces[index++];
    if (piece !== undefined) return { done: false, value: piece };
    if (fault) throw fault.error;
    return rest.next();
  };
  return { close: () => body.close(), [Symbol.asyncIterator]: () => ({ next, return: () => rest.return!() }) };
}
