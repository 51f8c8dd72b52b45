// Full-text rows of new entries, filled after every few answers, when the last of them is on its way. A search fills what is missing by itself,
// so none of this is waited for.
import type { Context } from './context.ts';
import type { SessionMemory } from './memory.ts';
import { indexNew } from './recall.ts';

/** Rows cost less together, and a search has few left to fill. */
const ANSWERS_PER_RUN = 8;
/** Of 200 entries each. */
const BATCHES_PER_RUN = 1;

/** To be called for every answer. */
export function indexLater(context: Context, memory: SessionMemory): void {
  if (context.store.storage === 'none') return;
  memory.unindexedAnswers = (memory.unindexedAnswers ?? 0) + 1;
  if (memory.unindexedAnswers < ANSWERS_PER_RUN) return;
  memory.unindexedAnswers = 0;
  void context.afterResponse.start(() => index(context, memory));
}

async function index(context: Context, { sessionId }: SessionMemory): Promise<void> {
  try {
    await indexNew(context, sessionId, BATCHES_PER_RUN);
  } catch (error) {
    context.health.lastFault = `search index: ${String(error)}`;
    context.log.write('warn', 'New entries could not be indexed for search; a later answer tries again.', { error: String(error) });
  }
}
