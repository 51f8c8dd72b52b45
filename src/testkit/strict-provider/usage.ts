// What an answer cost, in the shape in which each API reports it.
import type { Api } from '../../core/transcript/entry.ts';
import type { Answer } from './answer.ts';
import type { CachedInput } from './prefix-cache.ts';

/** The usage object of a whole answer. Anthropic counts cached tokens outside `input_tokens`, OpenAI inside. */
export function usageOf(api: Api, input: CachedInput, output: Pick<Answer, 'outputTokens' | 'thinkingTokens'>): Record<string, unknown> {
  const { uncachedInput, cacheRead, cacheWrite, cacheWrite1h } = input;
  const { outputTokens, thinkingTokens } = output;
  if (api === 'anthropic') {
    return {
      input_tokens: uncachedInput,
      cache_creation_input_tokens: cacheWrite + cacheWrite1h,
      cache_read_input_tokens: cacheRead,
      cache_creation: { ephemeral_5m_input_tokens: cacheWrite, ephemeral_1h_input_tokens: cacheWrite1h },
      output_tokens: outputTokens,
      service_tier: 'standard',
    };
  }
  const all = uncachedInput + cacheRead + cacheWrite;
  const details = { cached_tokens: cacheRead, cache_write_tokens: cacheWrite };
  const outputDetails = { reasoning_tokens: thinkingTokens };
  if (api === 'openai-chat') {
    return {
      prompt_tokens: all,
      completion_tokens: outputTokens,
      total_tokens: all + outputTokens,
      prompt_tokens_details: details,
      completion_tokens_details: outputDetails,
    };
  }
  return {
    input_tokens: all,
    input_tokens_details: details,
    output_tokens: outputTokens,
    output_tokens_details: outputDetails,
    total_tokens: all + outputTokens,
  };
}
