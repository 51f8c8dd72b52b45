// Streams of an SDK: the same object goes to the caller, with the same events. Events that only announce an answer are held back until its first
// words, so that an error before them can still be recovered; what the provider reports is read as it flies by.
import type { Answer, AnswerReader } from '../core/answer.ts';
import type { Clock } from '../ports/clock.ts';

export type Stream = AsyncIterable<unknown> & object;

/** Something to iterate over. A web stream is none: iterating would lock it for the caller. */
export function isStream(value: unknown): value is Stream {
  if (typeof value !== 'object' || value === null) return false;
  const { getReader } = value as { getReader?: unknown };
  return typeof (value as Stream)[Symbol.asyncIterator] === 'function' && typeof getReader !== 'function';
}

/** A stream whose first events were read. */
export interface Opened {
  /** content: the answer has begun. failure: an error came in its place. end: it is over and was read whole. */
  readonly state: 'content' | 'failure' | 'end';
  readonly answer: Answer;
  /** The caller's stream, nothing of it missing. `onEnd` is told once: `isWhole` is false when the caller left before the end. */
  handOver(onEnd: (answer: Answer, isWhole: boolean) => void): Stream;
  /** Ends it unseen, to be called again. */
  close(): Promise<void>;
}

/** More announcements than this, or older ones, are handed on: a provider that only keeps the connection alive shall not look dead. */
const HELD_EVENTS = 64;
const HELD_MS = 5_000;

/** Throws what the stream throws before its first words. */
export async function openStream(stream: Stream, reader: AnswerReader, clock: Pick<Clock, 'now'>): Promise<Opened> {
  const source = sourceOf(stream);
  const beganMs = clock.now();
  const held: unknown[] = [];
  let state: Opened['state'] = 'end';
  while (held.length < HELD_EVENTS) {
    const { done, value } = await source.next();
    if (done) break;
    held.push(value);
    const stage = reader.read(value);
    if (stage === 'content' || stage === 'failure') state = stage;
    if (stage === 'preface' && clock.now() - beganMs >= HELD_MS) state = 'content';
    if (state !== 'end') break;
  }
  if (held.length >= HELD_EVENTS) state = 'content';
  return {
    state,
    answer: reader.answer(),
    handOver: (onEnd) => handOver(stream, tap({ source, held, reader, isOver: state === 'end' }, onEnd)),
    close: async () => {
      await source.return().catch(() => {});
    },
  };
}

interface Source {
  next(): Promise<IteratorResult<unknown>>;
  return(): Promise<unknown>;
}

/** The stream's own iterator, with its methods as they were before the caller's view of it is changed. */
function sourceOf(stream: Stream): Source {
  const iterator = stream[Symbol.asyncIterator]();
  const { next, return: end } = iterator;
  return { next: () => next.call(iterator), return: async () => end?.call(iterator) };
}

interface Tap {
  readonly source: Source;
  readonly held: readonly unknown[];
  readonly reader: AnswerReader;
  readonly isOver: boolean;
}

async function* tap({ source, held, reader, isOver }: Tap, onEnd: (answer: Answer, isWhole: boolean) => void) {
  let isWhole = false;
  let isSourceOver = isOver;
  try {
    yield* held;
    while (!isSourceOver) {
      const { done, value } = await nextOf(source, () => {
        isSourceOver = true;
      });
      isSourceOver ||= done === true;
      if (done) break;
      reader.read(value);
      yield value;
    }
    isWhole = true;
  } finally {
    if (!isSourceOver) await source.return();
    onEnd(reader.answer(), isWhole);
  }
}

/** A source that throws is over: it is not asked to end once more. */
async function nextOf(source: Source, onThrow: () => void): Promise<IteratorResult<unknown>> {
  try {
    return await source.next();
  } catch (error) {
    onThrow();
    throw error;
  }
}

/** The same object, iterating over the tapped events. One that is its own iterator (a generator) is also asked directly. */
function handOver(stream: Stream, tapped: AsyncGenerator<unknown>): Stream {
  const method = (value: unknown): PropertyDescriptor => ({ value, configurable: true, writable: true });
  Object.defineProperty(
    stream,
    Symbol.asyncIterator,
    method(() => tapped),
  );
  // The streams of the OpenAI and Anthropic SDKs split themselves by this member.
  if (typeof (stream as { iterator?: unknown }).iterator === 'function')
    Object.defineProperty(
      stream,
      'iterator',
      method(() => tapped),
    );
  if (typeof (stream as { next?: unknown }).next === 'function') {
    Object.defineProperties(stream, {
      next: method(() => tapped.next()),
      return: method((value: unknown) => tapped.return(value)),
      throw: method((error: unknown) => tapped.throw(error)),
    });
  }
  return stream;
}
