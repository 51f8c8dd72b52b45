// Claude Code: one JSON object a line. The conversation is in the user and assistant lines; the rest is the client's own bookkeeping.

import { createAnthropicTurns } from './anthropic-turns.ts';
import { anthropicBody, textBlock } from './body.ts';
import { abandonedIds } from './claude-code-branches.ts';
import { type Counter, createCounter } from './counter.ts';
import type { Document, JsonLine } from './document.ts';
import { rawElements, rawMembers } from './raw-json.ts';
import { type FormatReader, unexpected } from './reader.ts';
import { asText, isObject, type Json, OWN_SUMMARIES, sumOfNumbers, type Transcript } from './transcript.ts';

/** Model name of answers that the client wrote itself. */
const SYNTHETIC_MODEL = '<synthetic>';
/** What the client writes for commands that never reach the model. */
const LOCAL_COMMAND = /^\s*<(command-name|local-command-(stdout|stderr|caveat))>/;
const BEFORE_THE_FILE = '(Earlier messages are not in this file.)';

export const claudeCodeReader: FormatReader = {
  format: 'claude-code',
  expected: 'JSONL whose lines have "type" and, for "user" and "assistant", "message" and "uuid"',
  recognises: (document) => document.lines.some((line) => isTurnLine(line.value) && 'uuid' in line.value && 'sessionId' in line.value),
  read,
};

function isTurnLine(value: Json): boolean {
  return (value.type === 'user' || value.type === 'assistant') && isObject(value.message);
}

function read(document: Document): Transcript {
  const counter = createCounter();
  const lines = keptLines(document, counter);
  const turns = createAnthropicTurns(counter);
  let newest: Json | undefined;
  for (const line of lines) {
    const message = line.value.message as Json;
    const content = rawMembers(rawMembers(line.text).get('message')).get('content');
    if (content === undefined) throw unexpected(document, line.number, '"content" in the message');
    if (line.value.type === 'user') {
      turns.addUser(Array.isArray(message.content) ? rawElements(content) : content);
      continue;
    }
    const blocks = Array.isArray(message.content) ? rawElements(content) : [textBlock(String(message.content))];
    turns.addAnswer(asText(message.id), blocks);
    newest = message;
  }
  const messages = turns.messages();
  if (messages.length === 0) throw unexpected(document, 1, 'at least one "user" or "assistant" line of the conversation itself');
  if (messages[0]?.startsWith('{"role":"assistant"')) messages.unshift(`{"role":"user","content":${JSON.stringify(BEFORE_THE_FILE)}}`);
  const model = asText(newest?.model);
  const measuredTokens = measuredOf(newest);
  return {
    format: 'claude-code',
    api: 'anthropic',
    model,
    bodyText: anthropicBody({ model, messages }),
    notes: counter.notes(),
    measuredTokens,
    unseen: 'system prompt and tools',
  };
}

function measuredOf(message: Json | undefined): number | undefined {
  const usage = isObject(message?.usage) ? message.usage : {};
  return sumOfNumbers(usage.input_tokens, usage.cache_read_input_tokens, usage.cache_creation_input_tokens);
}

/** The lines of the conversation, in file order. */
function keptLines(document: Document, counter: Counter): JsonLine[] {
  const hasMain = document.lines.some((line) => isTurnLine(line.value) && line.value.isSidechain !== true);
  const abandoned = abandonedIds(document.lines.map((line) => line.value));
  const seen = new Set<string>();
  return document.lines.filter(({ value }) => {
    const uuid = asText(value.uuid);
    const reason =
      reasonToLeaveOut(value, hasMain) ?? repeats(seen, uuid) ?? (abandoned.has(uuid ?? '') ? 'lines of abandoned branches' : '');
    if (uuid !== undefined) seen.add(uuid);
    if (reason !== '') counter.add(reason);
    return reason === '';
  });
}

function repeats(seen: ReadonlySet<string>, uuid: string | undefined): string | undefined {
  return uuid !== undefined && seen.has(uuid) ? 'lines repeated by a resume' : undefined;
}

function reasonToLeaveOut(value: Json, hasMain: boolean): string | undefined {
  if (!isTurnLine(value)) return 'bookkeeping lines';
  const message = value.message as Json;
  if (hasMain && value.isSidechain === true) return 'side-chain lines';
  if (value.isCompactSummary === true) return OWN_SUMMARIES;
  if (value.isMeta === true) return 'meta lines';
  if (value.isApiErrorMessage === true || message.model === SYNTHETIC_MODEL) return 'synthetic answers';
  if (value.type === 'user' && LOCAL_COMMAND.test(asText(message.content) ?? '')) return 'local commands';
  return undefined;
}
