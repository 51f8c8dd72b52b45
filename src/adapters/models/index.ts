// Summarizers that ask a model: by URL in the three APIs, or through the AI SDK. The package's sub-path ullage/models.
import { UllageError } from '../../core/errors.ts';
import { APIS, type Api } from '../../core/transcript/entry.ts';
import type { Summarizer } from '../../ports/summarizer.ts';
import { httpSummarizer } from './http-summarizer.ts';
import type { ModelSummarizerOptions } from './options.ts';

export { type AiSdkModel, type AiSdkSummarizerOptions, aiSdkSummarizer } from './ai-sdk.ts';
export { anthropicCompactSummarizer, type CompactSummarizerOptions } from './compact-summarizer.ts';
export type { ModelSummarizerOptions } from './options.ts';

/**
 * A summarizer behind any server that speaks OpenAI Chat Completions. Throws option_invalid.
 *
 * @example
 * ```ts
 * import { openaiSummarizer } from 'ullage/models';
 *
 * const summarizer = openaiSummarizer({ url: 'http://127.0.0.1:11434/v1', model: 'qwen3', windowTokens: 32_000 });
 * ```
 */
export function openaiSummarizer(options: ModelSummarizerOptions): Summarizer {
  return httpSummarizer('openai-chat', options);
}

/** A summarizer behind OpenAI Responses; nothing is stored there. Throws option_invalid. */
export function openaiResponsesSummarizer(options: ModelSummarizerOptions): Summarizer {
  return httpSummarizer('openai-responses', options);
}

/** A summarizer behind Anthropic Messages. Throws option_invalid. */
export function anthropicSummarizer(options: ModelSummarizerOptions): Summarizer {
  return httpSummarizer('anthropic', options);
}

/** One of the three, chosen by API. Throws option_invalid. */
export function createModelSummarizer(options: ModelSummarizerOptions & { readonly api: Api }): Summarizer {
  const { api, ...rest } = options;
  if (!APIS.includes(api)) throw new UllageError('option_invalid', `Option api is ${String(api)}; it must be one of ${APIS.join(', ')}.`);
  return httpSummarizer(api, rest);
}
