// For tests of an agent that embeds ullage: a store in memory, a summarizer that plays a script, a clock moved by hand, the store contract,
// and a local server that behaves as the three APIs do.
export { type ManualClock, manualClock } from './manual-clock.ts';
export { type MemoryStoreOptions, memoryStore } from './memory-store.ts';
export { type ScriptedSummarizer, type SummarizerStep, scriptedSummarizer } from './scripted-summarizer.ts';
export { storeContract } from './store-contract.ts';
export type { ScriptedAnswer, ScriptedToolCall } from './strict-provider/answer.ts';
export type { Bill, Prices } from './strict-provider/bill.ts';
export type { Fault, FaultPlace, FaultTiming } from './strict-provider/fault.ts';
export type { HoldPoint } from './strict-provider/gate.ts';
export type { StrictModelOptions, StrictProviderOptions } from './strict-provider/options.ts';
export { credentialDigest, type ProviderRequest, type ProviderRequestKind } from './strict-provider/request.ts';
export { type StrictProvider, strictProvider } from './strict-provider/strict-provider.ts';
