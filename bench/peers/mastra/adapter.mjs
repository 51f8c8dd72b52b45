// Mastra: its token limiter, as it trims the prompt before a request. It refuses to make an empty one: such a size is passed over.
import { TokenLimiterProcessor } from '@mastra/core/processors';
import { tokenLevels } from '../chat.mjs';
import { fromParts, toParts } from '../parts.mjs';

async function limit(messages, maxTokens, trimMode) {
  const prompt = toParts(messages);
  try {
    const made = await new TokenLimiterProcessor({ limit: maxTokens, trimMode }).processLLMRequest({ prompt });
    return fromParts(made?.prompt ?? prompt);
  } catch (error) {
    if (/no messages fit|alone exceed/i.test(error.message)) return undefined;
    throw error;
  }
}

export const strategies = [
  { name: 'Mastra best fit', levelsOf: tokenLevels, run: (messages, maxTokens) => limit(messages, maxTokens, 'best-fit') },
  { name: 'Mastra newest', levelsOf: tokenLevels, run: (messages, maxTokens) => limit(messages, maxTokens, 'contiguous') },
];
