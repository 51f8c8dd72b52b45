// Gemini CLI: its summary, which keeps the newest 30 percent and cannot be aimed otherwise, and its masking of tool outputs.
import fs from 'node:fs';
import { ChatCompressionService } from '@google/gemini-cli-core/dist/src/context/chatCompressionService.js';
import { ToolOutputMaskingService } from '@google/gemini-cli-core/dist/src/context/toolOutputMaskingService.js';
import { assistantMessage, callsOf, textOf, tokenLevels, toolMessage, toolNames, userMessage } from '../chat.mjs';

/** Below the process's own temporary folder. */
const OUTPUTS = 'outputs';
const MODEL = 'gemini-2.5-pro';

function toPeer(messages) {
  const names = toolNames(messages);
  const contents = [];
  for (const message of messages) {
    const text = textOf(message);
    const textParts = text === '' ? [] : [{ text }];
    if (message.role === 'assistant') {
      const calls = callsOf(message).map(({ id, name, input }) => ({ functionCall: { id, name, args: input } }));
      contents.push({ role: 'model', parts: [...textParts, ...calls] });
    } else if (message.role === 'tool') {
      const id = message.tool_call_id;
      const part = { functionResponse: { id, name: names.get(id) ?? 'tool', response: { output: text } } };
      const before = contents.at(-1);
      // Results of one turn stand in one message.
      if (before?.parts.some((own) => own.functionResponse)) before.parts.push(part);
      else contents.push({ role: 'user', parts: [part] });
    } else contents.push({ role: 'user', parts: textParts });
  }
  return contents;
}

function fromPeer(contents) {
  return contents.flatMap(({ role, parts }) => {
    const text = parts.flatMap((part) => part.text ?? []).join('\n');
    if (role === 'model') {
      const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
      return [
        assistantMessage(
          text,
          calls.map(({ id, name, args }) => ({ id, name, input: args })),
        ),
      ];
    }
    const results = parts.flatMap(({ functionResponse }) => functionResponse ?? []);
    return [...results.map(({ id, response }) => toolMessage(id, response.output)), ...(text === '' ? [] : [userMessage(text)])];
  });
}

/** A configuration that knows what is asked for here; anything else it is asked gives nothing. */
function configOf(own) {
  const known = {
    storage: { getProjectTempDir: () => OUTPUTS },
    getSessionId: () => 'session',
    getActiveModel: () => MODEL,
    getWorkspaceContext: () => ({ getDirectories: () => [] }),
    getTruncateToolOutputThreshold: () => 40_000,
    getNextCompressionTruncationId: () => 1,
    ...own,
  };
  const config = new Proxy(known, { get: (target, key) => (key in target ? target[key] : () => undefined) });
  known.config = config;
  return config;
}

function talkOf(contents) {
  return fromPeer(contents)
    .map((message) => {
      const calls = callsOf(message).map(({ name, input }) => `\n${name} ${JSON.stringify(input)}`);
      return `${message.role}: ${textOf(message)}${calls.join('')}`;
    })
    .join('\n');
}

async function compress(messages, _, { summarizer }) {
  fs.rmSync(OUTPUTS, { recursive: true, force: true });
  const history = toPeer(messages);
  let summary;
  const generateContent = async ({ contents }) => {
    summary ??= summarizer.summarize(talkOf(contents.slice(0, -1)));
    return { candidates: [{ content: { role: 'model', parts: [{ text: summary }] } }] };
  };
  const tokens = Math.ceil(JSON.stringify(history).length / 3);
  const chat = { getHistory: () => history, getLastPromptTokenCount: () => tokens };
  const config = configOf({ getBaseLlmClient: () => ({ generateContent }) });
  const { newHistory } = await new ChatCompressionService().compress(chat, 'p', true, MODEL, config, false);
  return newHistory === null ? messages : fromPeer(newHistory);
}

async function mask(messages, protectionThresholdTokens) {
  fs.rmSync(OUTPUTS, { recursive: true, force: true });
  const settings = { protectionThresholdTokens, minPrunableThresholdTokens: 0, protectLatestTurn: true };
  const config = configOf({ getToolOutputMaskingConfig: async () => settings });
  const { newHistory } = await new ToolOutputMaskingService().mask(toPeer(messages), config);
  return fromPeer(newHistory);
}

export const strategies = [
  { name: 'Gemini compress', hasSummary: true, levelsOf: () => [0], run: compress },
  { name: 'Gemini masking', levelsOf: tokenLevels, run: mask },
];
