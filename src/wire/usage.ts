// A provider's usage numbers → disjoint classes. OpenAI and Gemini count cached tokens inside the input, Anthropic and Bedrock
// outside; shapes are told apart by their fields. Sums over several requests are never read as a size.
import type { Usage } from '../core/size/size.ts';
import type { Api } from '../core/transcript/entry.ts';
import { isObject, type JsonObject, listOf } from './rules.ts';

/** Input and output as one provider counts them, before they are made disjoint. */
interface Counts {
  /** Input tokens the provider names first. */
  readonly input: number | undefined;
  readonly cacheRead?: number | undefined;
  readonly cacheWrite?: number | undefined;
  /** Whether the cached classes are part of `input`. */
  readonly cacheIs: 'inside' | 'outside';
  readonly output?: number | undefined;
  readonly reasoning?: number | undefined;
}

/**
 * A usage object → disjoint classes; `promptTokens` is their sum. `api` decides only where the fields alone do not. A class that is
 * missing, negative, not a number, or contradicted by the others (more cached than input) is undefined. Never throws; an unknown
 * shape gives `{ raw }`.
 */
export function normalizeUsage(api: Api, usage: unknown): Usage {
  if (!isObject(usage)) return { raw: usage };
  const counts = countsOf(api, usage);
  return counts === undefined ? { raw: usage } : disjoint(counts, usage);
}

/**
 * The usage of a whole response, of a stream event that carries one, or of a bare usage object. Sums over several steps
 * (`totalUsage`) are not read. Never throws.
 */
export function readUsage(api: Api, response: unknown): Usage {
  const usage = normalizeUsage(api, findUsage(response));
  // A response that reports nothing must not be kept whole as if it were its usage.
  return usage.raw === response && isObject(response) && RESPONSE_KEYS.some((key) => key in response) ? { raw: undefined } : usage;
}

const RESPONSE_KEYS = ['choices', 'content', 'output', 'candidates', 'response', 'message', 'delta'];

/**
 * Usage of a stream that reports twice (Anthropic: `message_start`, then `message_delta` with cumulative numbers): later fields win,
 * except a missing, null or 0 one.
 */
export function mergeUsage(api: Api, earlier: Usage, later: Usage): Usage {
  if (!isObject(earlier.raw)) return later;
  if (!isObject(later.raw)) return earlier;
  const news = Object.entries(later.raw).filter(([, value]) => value !== null && value !== undefined && value !== 0);
  return normalizeUsage(api, { ...earlier.raw, ...Object.fromEntries(news) });
}

function findUsage(response: unknown): unknown {
  if (!isObject(response)) return response;
  for (const holder of [response, response.response, response.message, response.metadata]) {
    if (!isObject(holder)) continue;
    for (const key of ['usage', 'usageMetadata', 'usage_metadata']) if (isObject(holder[key])) return holder[key];
  }
  return isObject(response.timings) ? response.timings : response;
}

function disjoint(counts: Counts, raw: JsonObject): Usage {
  const { input, cacheRead, cacheWrite, cacheIs, output, reasoning } = counts;
  const cached = (cacheRead ?? 0) + (cacheWrite ?? 0);
  const uncachedInput = input === undefined ? undefined : cacheIs === 'outside' ? input : input - cached;
  const answer = { ...defined('output', output), ...defined('reasoning', reasoning), raw };
  // No request has an empty prompt: all zero is a server that does not count.
  if (uncachedInput === undefined || uncachedInput < 0 || uncachedInput + cached === 0) return answer;
  const classes = { uncachedInput, ...defined('cacheRead', cacheRead), ...defined('cacheWrite', cacheWrite) };
  return { ...classes, promptTokens: uncachedInput + cached, ...answer };
}

function countsOf(api: Api, usage: JsonObject): Counts | undefined {
  if ('promptTokenCount' in usage || 'candidatesTokenCount' in usage) return geminiCounts(usage);
  if ('prompt_tokens' in usage || 'completion_tokens' in usage) return chatCounts(usage);
  if ('input_tokens' in usage || 'output_tokens' in usage) return isInclusive(api, usage) ? responsesCounts(usage) : anthropicCounts(usage);
  if ('inputTokens' in usage || 'outputTokens' in usage) return camelCounts(usage);
  if ('promptTokens' in usage || 'completionTokens' in usage) {
    return { input: tokens(usage.promptTokens), output: tokens(usage.completionTokens), cacheIs: 'inside' };
  }
  if ('prompt_eval_count' in usage) return { input: tokens(usage.prompt_eval_count), output: tokens(usage.eval_count), cacheIs: 'inside' };
  if ('prompt_n' in usage) {
    return { input: tokens(usage.prompt_n), cacheRead: tokens(usage.cache_n), output: tokens(usage.predicted_n), cacheIs: 'outside' };
  }
  return undefined;
}

/** `input_tokens` is a name of three APIs: details or a total mark the two that count inclusively (OpenAI, LangChain). */
function isInclusive(api: Api, usage: JsonObject): boolean {
  const isAnthropic = 'cache_read_input_tokens' in usage || 'cache_creation_input_tokens' in usage || 'cache_creation' in usage;
  if (isAnthropic) return false;
  const isDetailed = ['input_tokens_details', 'output_tokens_details', 'input_token_details', 'total_tokens'].some((key) => key in usage);
  return isDetailed || api !== 'anthropic';
}

/** OpenAI Chat Completions and its relatives: DeepSeek, OpenRouter, LiteLLM, llama.cpp, xAI. */
function chatCounts(usage: JsonObject): Counts {
  const details = objectAt(usage, 'prompt_tokens_details');
  const input = tokens(usage.prompt_tokens);
  const output = tokens(usage.completion_tokens);
  const reasoning = tokens(objectAt(usage, 'completion_tokens_details').reasoning_tokens);
  return {
    input,
    cacheRead: tokens(details.cached_tokens) ?? tokens(usage.prompt_cache_hit_tokens) ?? tokens(usage.cache_read_input_tokens),
    cacheWrite: tokens(details.cache_write_tokens) ?? tokens(details.cache_creation_tokens) ?? tokens(usage.cache_creation_input_tokens),
    cacheIs: 'inside',
    output: isReasoningOutside({ input, output, reasoning, total: tokens(usage.total_tokens) }) ? (output ?? 0) + (reasoning ?? 0) : output,
    reasoning,
  };
}

/** xAI and Gemini's compatible endpoint leave reasoning out of completion_tokens; the total gives it away. */
function isReasoningOutside(counts: { input?: number; output?: number; reasoning?: number; total?: number }): boolean {
  const { input, output, reasoning, total } = counts;
  if (input === undefined || output === undefined || !reasoning) return false;
  return reasoning > output || total === input + output + reasoning;
}

function responsesCounts(usage: JsonObject): Counts {
  const details = 'input_token_details' in usage ? objectAt(usage, 'input_token_details') : objectAt(usage, 'input_tokens_details');
  const outputs = 'output_token_details' in usage ? objectAt(usage, 'output_token_details') : objectAt(usage, 'output_tokens_details');
  return {
    input: tokens(usage.input_tokens),
    cacheRead: tokens(details.cached_tokens) ?? tokens(details.cache_read),
    cacheWrite: tokens(details.cache_write_tokens) ?? tokens(details.cache_creation),
    cacheIs: 'inside',
    output: tokens(usage.output_tokens),
    reasoning: tokens(outputs.reasoning_tokens) ?? tokens(outputs.reasoning),
  };
}

function anthropicCounts(usage: JsonObject): Counts {
  const of = requestIteration(usage);
  return {
    input: tokens(of.input_tokens),
    cacheRead: tokens(of.cache_read_input_tokens),
    cacheWrite: tokens(of.cache_creation_input_tokens) ?? sumOf(objectAt(of, 'cache_creation')),
    cacheIs: 'outside',
    output: tokens(usage.output_tokens),
    reasoning: tokens(objectAt(usage, 'output_tokens_details').thinking_tokens),
  };
}

/**
 * Where server tools made the model sample several times, the top level adds those samplings up; the first of them is the request
 * as it was sent. A compaction's own sampling is in neither.
 */
function requestIteration(usage: JsonObject): JsonObject {
  const samplings = listOf(usage.iterations)
    .filter(isObject)
    .filter(({ type }) => type === 'message');
  return samplings.length > 1 ? samplings[0]! : usage;
}

function geminiCounts(usage: JsonObject): Counts {
  const answer = tokens(usage.candidatesTokenCount);
  const reasoning = tokens(usage.thoughtsTokenCount);
  return {
    input: tokens(usage.promptTokenCount),
    cacheRead: tokens(usage.cachedContentTokenCount),
    cacheIs: 'inside',
    output: answer === undefined && reasoning === undefined ? undefined : (answer ?? 0) + (reasoning ?? 0),
    reasoning,
  };
}

/** Bedrock names both cache classes and counts outside; the AI SDK counts inside, flat in version 5, in details in version 6. */
function camelCounts(usage: JsonObject): Counts {
  const isBedrock = 'cacheReadInputTokens' in usage || 'cacheWriteInputTokens' in usage;
  const details = isObject(usage.inputTokens) ? usage.inputTokens : objectAt(usage, 'inputTokenDetails');
  const outputs = isObject(usage.outputTokens) ? usage.outputTokens : objectAt(usage, 'outputTokenDetails');
  return {
    input: tokens(usage.inputTokens) ?? tokens(details.total),
    cacheRead:
      tokens(usage.cacheReadInputTokens) ?? tokens(details.cacheReadTokens) ?? tokens(details.cacheRead) ?? tokens(usage.cachedInputTokens),
    cacheWrite: tokens(usage.cacheWriteInputTokens) ?? tokens(details.cacheWriteTokens) ?? tokens(details.cacheWrite),
    cacheIs: isBedrock ? 'outside' : 'inside',
    output: tokens(usage.outputTokens) ?? tokens(outputs.total),
    reasoning: tokens(outputs.reasoningTokens) ?? tokens(outputs.reasoning) ?? tokens(usage.reasoningTokens),
  };
}

function tokens(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function sumOf(classes: JsonObject): number | undefined {
  const known = Object.values(classes)
    .map(tokens)
    .filter((value) => value !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0);
}

function objectAt(holder: JsonObject, key: string): JsonObject {
  const value = holder[key];
  return isObject(value) ? value : {};
}

function defined<K extends keyof Usage>(key: K, value: number | undefined): Partial<Record<K, number>> {
  return value === undefined ? {} : ({ [key]: value } as Record<K, number>);
}
