// VS Code's chat replay export: prompts with their logs. Each request repeats the growing conversation, so the last one holds all of it.
import { chatBody, chatMessage } from './body.ts';
import { createCounter } from './counter.ts';
import type { Document } from './document.ts';
import { type FormatReader, unexpected } from './reader.ts';
import { asObjects, asText, isObject, type Json, type Transcript } from './transcript.ts';

/** Roles and part kinds are numbers in these files. */
const ROLES = ['system', 'user', 'assistant', 'tool'] as const;
const TEXT_PART = 1;

export const chatReplayReader: FormatReader = {
  format: 'chat-replay',
  expected: 'a JSON object with "prompts", each with "logs", some of them of "kind":"request"',
  recognises: ({ value }) => isObject(value) && asObjects(value.prompts).some((prompt) => Array.isArray(prompt.logs)),
  read,
};

function read(document: Document): Transcript {
  const counter = createCounter();
  const prompts = isObject(document.value) ? asObjects(document.value.prompts) : [];
  const requests = prompts
    .flatMap((prompt) => asObjects(prompt.logs))
    .filter((log) => log.kind === 'request' && isObject(log.requestMessages));
  const newest = requests.at(-1);
  if (newest === undefined) throw unexpected(document, 1, chatReplayReader.expected);
  counter.add('earlier requests, whose messages the last one repeats', requests.length - 1);
  const metadata = isObject(newest.metadata) ? newest.metadata : {};
  const messages = asObjects((newest.requestMessages as Json).messages).map((message) => toChat(message, (what) => counter.add(what)));
  const answer = isObject(newest.response) ? textOf(newest.response.message) : '';
  if (answer !== '') messages.push(chatMessage('assistant', answer));
  const model = asText(metadata.model);
  const usage = isObject(metadata.usage) ? metadata.usage : {};
  return {
    format: 'chat-replay',
    api: 'openai-chat',
    model,
    bodyText: chatBody({ model, messages, tools: toolsOf(metadata) }),
    notes: counter.notes(),
    measuredTokens: typeof usage.prompt_tokens === 'number' ? usage.prompt_tokens : undefined,
  };
}

function toolsOf(metadata: Json): string | undefined {
  const tools = asObjects(metadata.tools).map((tool) => ({ type: 'function', ...tool }));
  return tools.length === 0 ? undefined : JSON.stringify(tools);
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.filter((part) => typeof part === 'string').join('') : '';
}

function toChat(message: Json, count: (what: string) => void): string {
  const role = ROLES[Number(message.role)] ?? 'user';
  const parts = asObjects(message.content);
  const text = asText(message.content) ?? parts.map((part) => (part.type === TEXT_PART ? (asText(part.text) ?? '') : '')).join('');
  for (const part of parts) if (part.type !== TEXT_PART) count('cache marks and parts of other kinds');
  const calls = asObjects(message.toolCalls).map((call) => ({ id: call.id, type: 'function', function: call.function }));
  return JSON.stringify({
    role,
    content: text === '' && calls.length > 0 ? null : text,
    tool_calls: calls.length > 0 ? calls : undefined,
    tool_call_id: role === 'tool' ? asText(message.toolCallId) : undefined,
  });
}
