// Cline: the strategy of its core that needs no model.
import { createContextCompactionPrepareTurn } from '@cline/core';
import { assistantMessage, callsOf, textOf, tokenLevels, toolMessage, userMessage } from '../chat.mjs';

const IDS = { providerId: 'scripted', modelId: 'scripted' };
const textBlock = (text) => (text === '' ? [] : [{ type: 'text', text }]);

function toPeer(messages) {
  return messages.map((message) => {
    const text = textOf(message);
    if (message.role === 'tool')
      return { role: 'user', content: [{ type: 'tool_result', tool_use_id: message.tool_call_id, content: text }] };
    if (message.role !== 'assistant') return { role: 'user', content: textBlock(text) };
    return { role: 'assistant', content: [...textBlock(text), ...callsOf(message).map((call) => ({ type: 'tool_use', ...call }))] };
  });
}

function resultText(content) {
  return typeof content === 'string' ? content : content.flatMap((block) => block.text ?? []).join('\n');
}

function fromPeer(messages) {
  return messages.flatMap(({ role, content }) => {
    const blocks = typeof content === 'string' ? textBlock(content) : content;
    const text = blocks.flatMap((block) => block.text ?? []).join('\n');
    if (role === 'assistant')
      return [
        assistantMessage(
          text,
          blocks.filter(({ type }) => type === 'tool_use'),
        ),
      ];
    const results = blocks
      .filter(({ type }) => type === 'tool_result')
      .map((block) => toolMessage(block.tool_use_id, resultText(block.content)));
    return [...results, ...(text === '' ? [] : [userMessage(text)])];
  });
}

async function run(messages, maxInputTokens) {
  const prepare = createContextCompactionPrepareTurn({
    ...IDS,
    providerConfig: IDS,
    compaction: { enabled: true, strategy: 'basic' },
    sessionId: 's',
  });
  const own = toPeer(messages);
  const made = await prepare({
    agentId: 'a',
    conversationId: 'c',
    parentAgentId: null,
    iteration: 1,
    messages: own,
    apiMessages: own,
    abortSignal: new AbortController().signal,
    systemPrompt: '',
    tools: [],
    model: { id: 'scripted', provider: 'scripted', info: { id: 'scripted', maxInputTokens, contextWindow: maxInputTokens } },
  });
  return made === undefined ? messages : fromPeer(made.messages);
}

export const strategies = [{ name: 'Cline basic', levelsOf: tokenLevels, run }];
