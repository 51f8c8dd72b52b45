// What the model says: scripted, cut at the output limit, counted. Knows no API.
import type { Compaction } from './compaction.ts';
import type { Counting } from './tokens.ts';

/** A call the model makes. */
export interface ScriptedToolCall {
  readonly name: string;
  /** The arguments; a string is sent as it is, also when it is no JSON. Default {}. */
  readonly arguments?: unknown;
  /** Default: a new id in the manner of the API (`toolu_…`, `call_…`), unique in this provider. */
  readonly id?: string;
}

/** What the model says to one request. Without any member: an answer with no content. */
export interface ScriptedAnswer {
  readonly text?: string;
  readonly toolCalls?: readonly ScriptedToolCall[];
  /** Reasoning before the text: a signed `thinking` block (Anthropic), `reasoning_content` (Chat), a `reasoning` item (Responses). */
  readonly thinking?: string;
  /**
   * Default: the API's own word for a natural end or for a call. `stop`, `length` and `tool_calls` are translated into the words of the
   * API; anything else is sent as it is (`model_context_window_exceeded`, `refusal`, `content_filter`, …).
   */
  readonly finishReason?: string;
  /** Output tokens to report and to bill. Default: counted. */
  readonly outputTokens?: number;
}

/** An answer ready to be written in an API's shape. */
export interface Answer {
  readonly text: string;
  readonly thinking: string;
  readonly toolCalls: readonly Required<ToolCall>[];
  readonly finishReason: string;
  readonly outputTokens: number;
  readonly thinkingTokens: number;
  /** The summary of a compaction by the provider, which comes before everything else. */
  readonly compaction?: string;
}

interface ToolCall {
  readonly name: string;
  /** JSON text. */
  readonly arguments: string;
  readonly id: string;
}

const DEFAULT_TEXT = 'Well done.';
const COMPACTED = 'compaction';
const COMPACTION_TEXT = 'The conversation so far, in short.';

interface AnswerLimits {
  readonly counting: Counting;
  /** Output tokens the request allows; undefined = as many as there are. */
  readonly maxOutputTokens: number | undefined;
  readonly nextId: () => string;
  readonly compaction: Compaction | undefined;
}

/** The scripted answer, complete. What is over the output limit is cut off and the finish reason says so. */
export function completeAnswer(scripted: ScriptedAnswer | string | undefined, limits: AnswerLimits): Answer {
  const given: ScriptedAnswer = typeof scripted === 'string' ? { text: scripted } : (scripted ?? { text: DEFAULT_TEXT });
  if (limits.compaction === 'only') return compactionOnly(given.text ?? COMPACTION_TEXT, limits.counting);
  const compaction = limits.compaction === undefined ? {} : { compaction: COMPACTION_TEXT };
  const calls = (given.toolCalls ?? []).map((call) => ({
    name: call.name,
    id: call.id ?? limits.nextId(),
    arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments ?? {}),
  }));
  const { counting, maxOutputTokens } = limits;
  const text = given.text ?? '';
  const thinking = given.thinking ?? '';
  const thinkingTokens = counting.text(thinking);
  const callTokens = calls.reduce((sum, call) => sum + counting.text(call.name + call.arguments), 0);
  const total = given.outputTokens ?? thinkingTokens + counting.text(text) + callTokens;
  const natural = calls.length > 0 ? 'tool_calls' : 'stop';
  if (maxOutputTokens === undefined || total <= maxOutputTokens) {
    const finishReason = given.finishReason ?? natural;
    return { text, thinking, toolCalls: calls, finishReason, outputTokens: total, thinkingTokens, ...compaction };
  }
  // Shares of the characters stand for shares of the tokens: the count is the caller's and need not be divisible.
  const share = maxOutputTokens / total;
  return {
    text: text.slice(0, Math.floor(text.length * share)).toWellFormed(),
    thinking: thinking.slice(0, Math.ceil(thinking.length * share)).toWellFormed(),
    toolCalls: [],
    finishReason: given.finishReason ?? 'length',
    outputTokens: maxOutputTokens,
    thinkingTokens: Math.min(thinkingTokens, maxOutputTokens),
    ...compaction,
  };
}

/** The answer is a compaction that was asked for, and nothing else. */
export function isCompactionAlone({ compaction, finishReason }: Answer): boolean {
  return compaction !== undefined && finishReason === COMPACTED;
}

function compactionOnly(compaction: string, counting: Counting): Answer {
  const outputTokens = counting.text(compaction);
  return { text: '', thinking: '', toolCalls: [], finishReason: COMPACTED, outputTokens, thinkingTokens: 0, compaction };
}
