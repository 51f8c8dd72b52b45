// For tests of an agent that embeds ullage: a store in memory, a summarizer that plays a script, a clock moved by hand, the store contract.
export { type ManualClock, manualClock } from './manual-clock.ts';
export { type MemoryStoreOptions, memoryStore } from './memory-store.ts';
export { type ScriptedSummarizer, type SummarizerStep, scriptedSummarizer } from './scripted-summarizer.ts';
export { storeContract } from './store-contract.ts';
