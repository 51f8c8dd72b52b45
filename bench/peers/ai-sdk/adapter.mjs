// AI SDK: pruneMessages, without the tool calls before the last N messages.
import { pruneMessages } from 'ai';
import { fromParts, toParts } from '../parts.mjs';

export const strategies = [
  {
    name: 'AI SDK prune',
    levelsOf: (messages) => ['all', ...messages.map((_, index) => `before-last-${index + 1}-messages`)],
    run: (messages, toolCalls) =>
      fromParts(pruneMessages({ messages: toParts(messages), reasoning: 'all', toolCalls, emptyMessages: 'remove' })),
  },
];
