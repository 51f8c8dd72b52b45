// Wordings and codes with which providers say that the input is larger than the window, and the numbers they print.
import type { ErrorFacts } from './unwrap.ts';

interface Wording {
  /** May name the groups `limit` and `actual`. Runs on normalised text (see {@link normalizeText}). */
  readonly pattern: RegExp;
  /** Also said of rate limits: does not count beside words of a rate limit. */
  readonly isWeak?: true;
}

/** Codes that mean an overflow whatever the text says. */
const OVERFLOW_CODES: ReadonlySet<string> = new Set([
  'context_length_exceeded',
  'model_max_prompt_tokens_exceeded',
  'exceed_context_size_error',
  'max_tokens_exceeded',
  'tokens_limit_reached',
  'contextoverflowerror',
  'contextwindowexceedederror',
  // GLM: "Prompt exceeds max length".
  '1261',
  // MiniMax: "context window exceeds limit".
  '2013',
]);

/** Where only the code stands in a text. */
const CODE_IN_TEXT =
  /\b(?:context_length_exceeded|model_max_prompt_tokens_exceeded|exceed_context_size_error)\b|contextwindowexceedederror/;

const WORDINGS: readonly Wording[] = [
  // OpenAI, Azure, DeepSeek, OpenRouter, vLLM, LiteLLM, SGLang
  { pattern: /maximum context length (?:is|of) (?<limit>\d+)/ },
  { pattern: /exceeds? the context window of this model/ },
  { pattern: /input tokens exceed the configured limit(?: of (?<limit>\d+))?/ },
  // Anthropic, also through Bedrock and Vertex
  { pattern: /prompt is too long: (?<actual>\d+) tokens? > (?<limit>\d+)/ },
  { pattern: /prompt is too long/ },
  // Bedrock
  { pattern: /prompt tokens \((?<actual>\d+)\) exceeds? (?:the )?model maximum \((?<limit>\d+)\)/ },
  { pattern: /input is too long/ },
  { pattern: /too many input tokens/, isWeak: true },
  { pattern: /expected maxlength: ?\d/ },
  // Gemini
  { pattern: /input token count \((?<actual>\d+)\) exceeds the maximum number of (?:input )?tokens allowed \(?(?<limit>\d+)/ },
  { pattern: /input token count exceeds the maximum number of (?:input )?tokens allowed(?: \(?(?<limit>\d+))?/ },
  { pattern: /input token count is (?<actual>\d+) but (?:the )?model only supports up to (?<limit>\d+)/ },
  // Groq, Cerebras
  { pattern: /current length is (?<actual>\d+) while limit is (?<limit>\d+)/ },
  { pattern: /reduce the length of the (?:messages|prompt|input)/ },
  // xAI, Mistral
  { pattern: /maximum prompt length is (?<limit>\d+)(?: but the request contains (?<actual>\d+))?/ },
  { pattern: /too large for (?:the )?model with (?<limit>\d+) maximum context length/ },
  // Together, SGLang
  { pattern: /input \((?<actual>\d+) tokens\) is longer than the model'?s context length \((?<limit>\d+)/ },
  { pattern: /longer than the model'?s context length/ },
  { pattern: /input length \((?<actual>\d+) tokens\) exceeds the maximum allowed length \((?<limit>\d+)/ },
  { pattern: /maximum allowed input length/ },
  // Moonshot
  { pattern: /exceeded model token limit(?:: (?<limit>\d+)(?: \(requested: (?<actual>\d+)\))?)?/ },
  // GLM, DashScope, gateways
  { pattern: /prompt exceeds max(?:imum)? length/ },
  { pattern: /range of input length should be \[\d+, ?(?<limit>\d+)\]/ },
  { pattern: /tokens in request (?:is |are )?more than (?:the )?max(?:imum)? tokens allowed/ },
  { pattern: /超过最大长度|上下文长度/ },
  // vLLM
  { pattern: /prompt \(length (?<actual>\d+)\) is longer than the maximum model length of (?<limit>\d+)/ },
  { pattern: /longer than the maximum model length/ },
  { pattern: /max_model_len(?:gth)?\W{0,4}(?:is |of )?(?<limit>\d+)/ },
  { pattern: /exceeds the max_model_len/ },
  { pattern: /max_tokens must be at least 1, got -\d/ },
  // llama.cpp, LM Studio, Ollama
  { pattern: /request \((?<actual>\d+) tokens\) exceeds the available context size \((?<limit>\d+)/ },
  { pattern: /exceeds the available context size(?: \((?<limit>\d+))?/ },
  { pattern: /input \((?<actual>\d+) tokens\) is larger than the max(?:imum)? context size(?: \((?<limit>\d+))?/ },
  { pattern: /loaded with context length of only (?<limit>\d+) tokens/ },
  { pattern: /number of tokens to keep from the initial prompt is greater than the context length/ },
  { pattern: /exceeded max(?:imum)? context length/ },
  // GitHub Copilot and Models, Cohere, TGI
  { pattern: /prompt token count of (?<actual>\d+) exceeds the limit of (?<limit>\d+)/ },
  { pattern: /request body too large for \S{1,80} model\. max size: (?<limit>\d+) tokens/ },
  { pattern: /tokens in the prompt cannot exceed (?<limit>\d+)(?: - received (?<actual>\d+))?/ },
  { pattern: /`?inputs`? tokens \+ `?max_new_tokens`? must be/ },
  // Any server that speaks of the context in so many words
  { pattern: /(?:context (?:length|window|size|limit)|maximum context)[^.]{0,60}?\bexceed/, isWeak: true },
  { pattern: /\bexceed[^.]{0,60}?context (?:length|window|size|limit)/, isWeak: true },
  { pattern: /\btoo many tokens\b/, isWeak: true },
];

/** Counts printed apart from the limit. */
const ACTUAL = /(?:resulted in|requested a total of|requested about|you requested|prompt contains|tokens to keep|keep the first) (\d+)/;
const LLAMA_LIMIT = /\bn_ctx\W{1,4}(\d+)/;
const LLAMA_ACTUAL = /\bn_prompt_tokens\W{1,4}(\d+)/;

/** A window outside this range is a misreading. */
const SMALLEST_LIMIT = 256;
const LARGEST_LIMIT = 100_000_000;

/** What an overflow error prints. */
export interface OverflowNumbers {
  readonly limit?: number;
  readonly actual?: number;
}

/** The numbers of an overflow error, or undefined when it is none. `text` is normalised. */
export function findOverflow(text: string, facts: ErrorFacts, speaksOfRate: boolean): OverflowNumbers | undefined {
  let limit = facts.contextTokens;
  let actual = facts.promptTokens;
  let isOverflow = facts.codes.some((code) => OVERFLOW_CODES.has(code.toLowerCase())) || CODE_IN_TEXT.test(text);
  for (const { pattern, isWeak } of WORDINGS) {
    const match = isWeak && speaksOfRate ? null : pattern.exec(text);
    if (!match) continue;
    isOverflow = true;
    limit ??= numberOf(match.groups?.limit);
    actual ??= numberOf(match.groups?.actual);
  }
  if (!isOverflow) return undefined;
  return agreeing(limit ?? numberOf(LLAMA_LIMIT.exec(text)?.[1]), actual ?? numberOf((ACTUAL.exec(text) ?? LLAMA_ACTUAL.exec(text))?.[1]));
}

/** Numbers that contradict each other, or no window could have, are not passed on. */
export function agreeing(limit: number | undefined, actual: number | undefined): OverflowNumbers {
  const isWindow = limit !== undefined && limit >= SMALLEST_LIMIT && limit <= LARGEST_LIMIT;
  const isContradicted = limit !== undefined && actual !== undefined && actual < limit;
  return { ...(isWindow && !isContradicted ? { limit } : {}), ...(actual === undefined ? {} : { actual }) };
}

/** Lower case, single blanks, digits without separators: what all patterns of this folder run on. */
export function normalizeText(text: string): string {
  return text
    .toLowerCase()
    .replace(/[’‘]/g, "'")
    .replace(/\s+/g, ' ')
    .replace(/(\d)[,_](?=\d{3}(?!\d))/g, '$1');
}

function numberOf(digits: string | undefined): number | undefined {
  return digits === undefined ? undefined : Number(digits);
}
