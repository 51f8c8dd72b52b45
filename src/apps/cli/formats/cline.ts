// Cline's session store: Anthropic messages with blocks of its own (attached files) and marks on them.
import { createAnthropicTurns } from './anthropic-turns.ts';
import { anthropicBody, textBlock } from './body.ts';
import { createCounter } from './counter.ts';
import type { Document } from './document.ts';
import { rawElements, rawMembers, rawObject } from './raw-json.ts';
import { type FormatReader, unexpected } from './reader.ts';
import { asObjects, asText, isObject, type Json, type Transcript } from './transcript.ts';

export const clineReader: FormatReader = {
  format: 'cline',
  expected: 'a JSON object with "messages" and "system_prompt"',
  recognises: ({ value }) => isObject(value) && Array.isArray(value.messages) && 'system_prompt' in value && 'sessionId' in value,
  read,
};

function read(document: Document): Transcript {
  const counter = createCounter();
  const turns = createAnthropicTurns(counter);
  const value = isObject(document.value) ? document.value : {};
  const messages = asObjects(value.messages);
  const raws = rawElements(rawMembers(document.text).get('messages'));
  messages.forEach((message, index) => {
    const content = rawMembers(raws[index]).get('content') ?? '""';
    const blocks = typeof message.content === 'string' ? [textBlock(message.content)] : rawElements(content).map((raw) => toBlock(raw));
    if (message.role === 'assistant') turns.addAnswer(undefined, blocks);
    else turns.addUser(blocks);
  });
  const body = turns.messages();
  if (body.length === 0) throw unexpected(document, 1, clineReader.expected);
  const newest = messages.findLast((message) => message.role === 'assistant');
  const model = isObject(newest?.modelInfo) ? asText(newest.modelInfo.id) : undefined;
  const system = asText(value.system_prompt);
  return {
    format: 'cline',
    api: 'anthropic',
    preamble: system,
    model,
    bodyText: anthropicBody({ model, system, messages: body }),
    notes: counter.notes(),
    measuredTokens: measuredOf(newest),
    unseen: 'tools',
  };
}

/** Cline's input tokens include what was read from the cache. */
function measuredOf(message: Json | undefined): number | undefined {
  const metrics = isObject(message?.metrics) ? message.metrics : {};
  return typeof metrics.inputTokens === 'number' ? metrics.inputTokens : undefined;
}

function toBlock(raw: string): string {
  const members = rawMembers(raw);
  const type = members.get('type');
  if (type === '"file"') return fileBlock(members);
  if (type !== '"tool_result"') return raw;
  const content = members.get('content');
  return rawObject({
    type,
    tool_use_id: members.get('tool_use_id'),
    content: content === undefined ? undefined : resultContent(content),
    is_error: members.get('is_error'),
  });
}

function fileBlock(members: ReadonlyMap<string, string>): string {
  const [path, content] = ['path', 'content'].map((key) => asText(JSON.parse(members.get(key) ?? 'null')) ?? '');
  return textBlock(`<file path=${JSON.stringify(path)}>\n${content}\n</file>`);
}

/** A result is a text or a list of blocks; Cline also writes lists of its own records, which are sent as their JSON. */
function resultContent(raw: string): string {
  const value: unknown = JSON.parse(raw);
  if (typeof value === 'string') return raw;
  const isBlocks = Array.isArray(value) && value.every((block) => isObject(block) && typeof block.type === 'string');
  return isBlocks ? raw : JSON.stringify(raw);
}
