// Names that short examples use without importing or declaring them, so that they stay short. Read by `npm run check:docs` only.
import type { createUllage as createUllageFunction, Session, Store, Summarizer, Ullage, UllageError as UllageErrorClass } from 'ullage';
import type { sqliteStore as sqliteStoreFunction } from 'ullage/sqlite';
import type {
  manualClock as manualClockFunction,
  memoryStore as memoryStoreFunction,
  scriptedSummarizer as scriptedSummarizerFunction,
  storeContract as storeContractFunction,
} from 'ullage/testkit';
import type { exactCounter as exactCounterFunction } from 'ullage/tokenizer';

interface ChatRequest {
  model: string;
  messages: { role: string; content: string }[];
}

interface ChatResponse {
  usage?: object;
}

declare global {
  const createUllage: typeof createUllageFunction;
  const UllageError: typeof UllageErrorClass;
  const sqliteStore: typeof sqliteStoreFunction;
  const memoryStore: typeof memoryStoreFunction;
  const scriptedSummarizer: typeof scriptedSummarizerFunction;
  const manualClock: typeof manualClockFunction;
  const storeContract: typeof storeContractFunction;
  const exactCounter: typeof exactCounterFunction;

  const ullage: Ullage;
  const session: Session;
  const store: Store;
  const summarizer: Summarizer;
  const body: ChatRequest;

  /** A provider's SDK, as far as examples call it. */
  const client: { chat: { completions: { create(body: object, options?: { signal?: AbortSignal }): Promise<ChatResponse> } } };
  const anthropic: { messages: { create(body: object, options?: { signal?: AbortSignal }): Promise<ChatResponse> } };
  /** A store of the reader's own. */
  const openMyStore: (storage: 'full' | 'none') => ReturnType<Parameters<typeof storeContract>[0]['open']>;
}
