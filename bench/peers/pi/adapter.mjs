// Pi: prepareCompaction and compact, then the context its session makes of it. The package's entry needs a newer Node: its parts do not.

import { assistantMessage, callsOf, textOf, tokenLevels, toolMessage, toolNames, userMessage } from '../chat.mjs';
import { compact, prepareCompaction } from './node_modules/@earendil-works/pi-coding-agent/dist/core/compaction/compaction.js';
import { convertToLlm } from './node_modules/@earendil-works/pi-coding-agent/dist/core/messages.js';
import { buildSessionContext } from './node_modules/@earendil-works/pi-coding-agent/dist/core/session-manager.js';

const MODEL = { id: 'scripted', provider: 'scripted', api: 'scripted', reasoning: false, contextWindow: 1_000_000, maxTokens: 100_000 };
const NO_USAGE = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};
const textBlock = (text) => (text === '' ? [] : [{ type: 'text', text }]);

function toPeer(messages) {
  const names = toolNames(messages);
  return messages.map((message, timestamp) => {
    const content = textBlock(textOf(message));
    if (message.role === 'user' || message.role === 'system') return { role: 'user', content, timestamp };
    if (message.role === 'tool') {
      const toolCallId = message.tool_call_id;
      return { role: 'toolResult', toolCallId, toolName: names.get(toolCallId) ?? 'tool', content, isError: false, timestamp };
    }
    const calls = callsOf(message).map(({ id, name, input }) => ({ type: 'toolCall', id, name, arguments: input }));
    return { role: 'assistant', content: [...content, ...calls], usage: NO_USAGE, stopReason: 'stop', timestamp };
  });
}

function fromPeer(messages) {
  return messages.map(({ role, content, toolCallId }) => {
    const text = content.flatMap((block) => block.text ?? []).join('\n');
    if (role === 'user') return userMessage(text);
    if (role === 'toolResult') return toolMessage(toolCallId, text);
    const calls = content.filter(({ type }) => type === 'toolCall');
    return assistantMessage(
      text,
      calls.map(({ id, name, arguments: input }) => ({ id, name, input })),
    );
  });
}

/** The conversation in either of its two prompts. It may hold such a line itself: the last one ends it. */
function talkIn(prompt) {
  const end = prompt.lastIndexOf(prompt.startsWith('<conversation>') ? '\n</conversation>\n' : '\n# Instructions\n');
  return end < 0 ? prompt : prompt.slice(0, end);
}

function answering(summarizer, share) {
  return async (_, { messages }) => {
    const prompt = messages.at(-1).content;
    const talk = talkIn(typeof prompt === 'string' ? prompt : prompt.map((block) => block.text ?? '').join('\n'));
    const content = [{ type: 'text', text: summarizer.summarize(talk, share) }];
    return { result: async () => ({ role: 'assistant', content, usage: NO_USAGE, stopReason: 'stop', timestamp: 0 }) };
  };
}

async function run(messages, keepRecentTokens, { summarizer }) {
  const entries = toPeer(messages).map((message, index) => {
    const parentId = index === 0 ? null : `e${index - 1}`;
    return { type: 'message', id: `e${index}`, parentId, timestamp: new Date(index).toISOString(), message };
  });
  const prepared = prepareCompaction(entries, { enabled: true, reserveTokens: 0, keepRecentTokens });
  if (prepared === undefined) return messages;
  // A turn that is split is summarized apart from what stood before it: each gets half.
  const isTwice = prepared.isSplitTurn && prepared.messagesToSummarize.length > 0 && prepared.turnPrefixMessages.length > 0;
  const { summary, firstKeptEntryId, tokensBefore, details } = await compact(
    ...[prepared, MODEL, 'none', undefined, undefined, undefined, undefined, answering(summarizer, isTwice ? 0.5 : 1)],
  );
  const parentId = entries.at(-1).id;
  const timestamp = new Date(entries.length).toISOString();
  entries.push({ type: 'compaction', id: 'compaction', parentId, timestamp, summary, firstKeptEntryId, tokensBefore, details });
  return fromPeer(convertToLlm(buildSessionContext(entries).messages));
}

export const strategies = [{ name: 'Pi', hasSummary: true, levelsOf: tokenLevels, run }];
