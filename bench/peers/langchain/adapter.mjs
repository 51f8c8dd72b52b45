// LangChain.js: its summary middleware, its clearing of tool outputs, and its trimming.
import { AIMessage, HumanMessage, SystemMessage, ToolMessage, trimMessages } from '@langchain/core/messages';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { ClearToolUsesEdit, countTokensApproximately, summarizationMiddleware } from 'langchain';
import { assistantMessage, callsOf, countLevels, textOf, tokenLevels, toolMessage, toolNames, userMessage } from '../chat.mjs';

const EVERYTHING = 10_000_000;
/** Stands before the conversation in the prompt. */
const TALK = 'Messages to summarize:';

function toPeer(messages) {
  const names = toolNames(messages);
  return messages.map((message, index) => {
    const id = `m${index}`;
    const content = textOf(message);
    if (message.role === 'system') return new SystemMessage({ id, content });
    if (message.role === 'user') return new HumanMessage({ id, content });
    const callId = message.tool_call_id;
    if (message.role === 'tool') return new ToolMessage({ id, content, tool_call_id: callId, name: names.get(callId) });
    return new AIMessage({ id, content, tool_calls: callsOf(message).map(({ id, name, input }) => ({ id, name, args: input })) });
  });
}

function fromPeer(messages) {
  return messages.map((message) => {
    const text = textOf(message);
    if (message.type === 'tool') return toolMessage(message.tool_call_id, text);
    if (message.type === 'human') return userMessage(text);
    if (message.type === 'system') return { role: 'system', content: text };
    return assistantMessage(
      text,
      message.tool_calls.map(({ id, name, args }) => ({ id, name, input: args })),
    );
  });
}

/** A model that answers with the scripted summary of what it is asked. */
class ScriptedModel extends FakeListChatModel {
  constructor(summarizer) {
    super({ responses: [''] });
    this.summarizer = summarizer;
  }

  async invoke(prompt) {
    const text = String(prompt);
    return new AIMessage(this.summarizer.summarize(text.slice(text.indexOf(TALK) + TALK.length)));
  }
}

export const strategies = [
  {
    name: 'LangChain summ.',
    hasSummary: true,
    levelsOf: tokenLevels,
    async run(messages, keepTokens, { summarizer }) {
      const middleware = summarizationMiddleware({
        model: new ScriptedModel(summarizer),
        trigger: { messages: 1 },
        keep: { tokens: keepTokens },
        trimTokensToSummarize: EVERYTHING,
      });
      const hook = middleware.beforeModel.hook ?? middleware.beforeModel;
      const own = toPeer(messages);
      const update = await hook({ messages: own }, { context: {} });
      return fromPeer(update === undefined ? own : update.messages.filter((message) => message.type !== 'remove'));
    },
  },
  {
    name: 'LangChain clear',
    // The second way clears what the tools were called with, too.
    ways: 2,
    levelsOf: (messages) => countLevels(messages, ({ role }) => role === 'tool'),
    async run(messages, keep, { way }) {
      const own = toPeer(messages);
      await new ClearToolUsesEdit({ trigger: { messages: 1 }, keep: { messages: keep }, clearToolInputs: way === 1 }).apply({
        messages: own,
        countTokens: countTokensApproximately,
      });
      return fromPeer(own);
    },
  },
  {
    name: 'LangChain trim',
    levelsOf: tokenLevels,
    async run(messages, maxTokens) {
      // Without `startOn` it begins with results whose call is gone; with `human` alone a session of one prompt is empty.
      const options = {
        maxTokens,
        tokenCounter: countTokensApproximately,
        strategy: 'last',
        includeSystem: true,
        startOn: ['human', 'ai'],
      };
      return fromPeer(await trimMessages(toPeer(messages), options));
    },
  },
];
