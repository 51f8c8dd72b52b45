// Streams of an SDK: passed through as they come, with usage read as it flies by and the first event awaited, so that an early error can be recovered.

export function isStream(value: unknown): value is AsyncIterable<unknown> & object {
  return typeof value === 'object' && value !== null && typeof (value as AsyncIterable<unknown>)[Symbol.asyncIterator] === 'function';
}

/** Waits for the first event (its error is thrown here), then returns the same object, iterating over the same events. */
export async function withObservedUsage(
  stream: AsyncIterable<unknown> & object,
  observe: (usage: unknown) => Promise<unknown>,
): Promise<object> {
  const iterator = stream[Symbol.asyncIterator]();
  const first = await iterator.next();
  const tapped = tap({ iterator, first }, observe);
  Object.defineProperty(stream, Symbol.asyncIterator, { value: () => tapped, configurable: true });
  return stream;
}

async function* tap(
  source: { readonly iterator: AsyncIterator<unknown>; readonly first: IteratorResult<unknown> },
  observe: (usage: unknown) => Promise<unknown>,
) {
  let usage: unknown;
  try {
    for (let result = source.first; !result.done; result = await source.iterator.next()) {
      usage = mergeUsage(usage, result.value);
      yield result.value;
    }
  } finally {
    await source.iterator.return?.();
    await observe(usage);
  }
}

/** Later events replace what they report again; what only the first one tells stays. */
function mergeUsage(seen: unknown, event: unknown): unknown {
  const usage = usageOf(event);
  if (usage === undefined) return seen;
  return { ...(seen as object | undefined), ...definedMembers(usage) };
}

function definedMembers(usage: object): object {
  return Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null && value !== undefined));
}

function usageOf(event: unknown): object | undefined {
  const holders = [event, member(event, 'message'), member(event, 'response')];
  const found = holders.map((holder) => member(holder, 'usage')).find((usage) => typeof usage === 'object' && usage !== null);
  return found as object | undefined;
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
