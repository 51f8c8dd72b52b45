// Full-text rows of new entries, filled when the answer is on its way. A search fills what is missing by itself, so none of this is waited for.
import type { Context } from './context.ts';
import type { SessionMemory } from './memory.ts';
import { indexNew } from './recall.ts';

/** Entries given a full-text row after one response, in batches of 200. */
const INDEX_BATCHES_PER_RESPONSE = 1;

/** One run waits at a time: it takes what came until it begins. */
export function indexLater(context: Context, memory: SessionMemory): void {
  if (context.store.storage === 'none' || memory.isIndexDue) return;
  memory.isIndexDue = true;
  void context.afterResponse.start(async () => {
    memory.isIndexDue = false;
    await index(context, memory);
  });
}

async function index(context: Context, { sessionId }: SessionMemory): Promise<void> {
  try {
    await indexNew(context, sessionId, INDEX_BATCHES_PER_RESPONSE);
  } catch (error) {
    context.health.lastFault = `search index: ${String(error)}`;
    context.log.write('warn', 'New entries could not be indexed for search; the next response tries again.', { error: String(error) });
  }
}
