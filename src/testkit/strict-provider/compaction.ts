// Compaction by the provider itself: asked for in the request (Messages), or at a threshold (both families).
import type { Api } from '../../core/transcript/entry.ts';
import { isObject, type JsonObject, listOf } from '../../wire/rules.ts';

/** `only`: the answer is the compaction. `before`: it comes in front of the answer. */
export type Compaction = 'only' | 'before';

/** Anthropic's threshold when none is named. */
const DEFAULT_TRIGGER_TOKENS = 150_000;

/** What the request asks for at its size, or undefined. */
export function compactionOf(api: Api, body: JsonObject, tokens: number): Compaction | undefined {
  if (api === 'anthropic' && isObject(body.compaction) && body.compaction.type === 'summarize') return 'only';
  const threshold = thresholdOf(body.context_management);
  return api !== 'openai-chat' && threshold !== undefined && tokens > threshold ? 'before' : undefined;
}

function thresholdOf(management: unknown): number | undefined {
  const edits = isObject(management) ? listOf(management.edits) : listOf(management);
  for (const edit of edits) {
    if (!isObject(edit)) continue;
    if (edit.type === 'compaction') return numberOf(edit.compact_threshold, DEFAULT_TRIGGER_TOKENS);
    if (edit.type === 'compact_20260112') return numberOf(isObject(edit.trigger) ? edit.trigger.value : undefined, DEFAULT_TRIGGER_TOKENS);
  }
  return undefined;
}

function numberOf(value: unknown, fallback: number): number {
  return typeof value === 'number' ? value : fallback;
}

/** The messages or items that still count: what stands before the last compaction is not read any more. */
export function sinceCompaction(messages: readonly unknown[]): readonly unknown[] {
  const at = messages.findLastIndex(isCompacted);
  return at < 0 ? messages : messages.slice(at);
}

/** A compaction that failed has `content: null` and changes nothing. */
function isCompacted(message: unknown): boolean {
  if (!isObject(message)) return false;
  if (message.type === 'compaction') return true;
  return listOf(message.content).some((block) => isObject(block) && block.type === 'compaction' && typeof block.content === 'string');
}
