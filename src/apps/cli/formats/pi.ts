// Pi sessions: one JSON object a line; from version 2 on the entries form a tree, and the conversation is the way to the last one.
import { type AnthropicTurns, createAnthropicTurns } from './anthropic-turns.ts';
import { anthropicBody, textBlock } from './body.ts';
import { type Counter, createCounter } from './counter.ts';
import type { Document, JsonLine } from './document.ts';
import { piBlocks, piToolResult } from './pi-blocks.ts';
import { rawMembers } from './raw-json.ts';
import { type FormatReader, unexpected } from './reader.ts';
import { asText, isObject, type Json, OWN_SUMMARIES, sumOfNumbers, type Transcript } from './transcript.ts';

const ROLES = new Set(['user', 'assistant', 'toolResult', 'bashExecution', 'custom', 'hookMessage']);

export const piReader: FormatReader = {
  format: 'pi',
  expected: 'JSONL that begins with a line of "type":"session" and has lines of "type":"message"',
  recognises: ({ lines }) => lines[0]?.value.type === 'session' && lines.some((line) => isMessage(line.value)),
  read,
};

function isMessage(value: Json): boolean {
  return value.type === 'message' && isObject(value.message) && ROLES.has(asText(value.message.role) ?? '');
}

function read(document: Document): Transcript {
  const counter = createCounter();
  const turns = createAnthropicTurns(counter);
  let model = asText(document.lines[0]?.value.modelId);
  let measuredTokens: number | undefined;
  for (const line of activePath(document.lines, counter)) {
    if (line.value.type === 'model_change') model = asText(line.value.modelId) ?? model;
    if (!isMessage(line.value)) {
      countOther(line.value, counter);
      continue;
    }
    const message = line.value.message as Json;
    const raw = rawMembers(rawMembers(line.text).get('message'));
    if (message.role === 'assistant') {
      measuredTokens = measuredOf(message) ?? measuredTokens;
      model = asText(message.model) ?? model;
      const blocks = piBlocks(raw.get('content'), message.content, counter);
      if (blocks.length === 0) counter.add('answers without content');
      else turns.addAnswer(undefined, blocks);
    } else addUser(turns, { message, raw, counter });
  }
  const messages = turns.messages();
  if (messages.length === 0) throw unexpected(document, 1, 'at least one line of "type":"message"');
  const bodyText = anthropicBody({ model, messages });
  return { format: 'pi', api: 'anthropic', model, bodyText, notes: counter.notes(), measuredTokens, unseen: 'system prompt and tools' };
}

interface UserLine {
  readonly message: Json;
  readonly raw: ReadonlyMap<string, string>;
  readonly counter: Counter;
}

function addUser(turns: AnthropicTurns, { message, raw, counter }: UserLine): void {
  const content = raw.get('content');
  if (message.role === 'toolResult') turns.addUser([piToolResult(message, content, counter)]);
  else if (message.role === 'bashExecution')
    turns.addUser([textBlock(`$ ${asText(message.command) ?? ''}\n${asText(message.output) ?? ''}`)]);
  else turns.addUser(piBlocks(content, message.content, counter));
}

function measuredOf(message: Json): number | undefined {
  const usage = isObject(message.usage) ? message.usage : {};
  const sum = sumOfNumbers(usage.input, usage.cacheRead, usage.cacheWrite);
  return sum === 0 ? undefined : sum;
}

function countOther(value: Json, counter: Counter): void {
  if (value.type === 'compaction') counter.add(OWN_SUMMARIES);
  else if (value.type !== 'session') counter.add('bookkeeping lines');
}

/** The lines from the root to the last entry. Files of version 1 have no tree: all lines. */
function activePath(lines: readonly JsonLine[], counter: Counter): readonly JsonLine[] {
  const byId = new Map<string, JsonLine>();
  for (const line of lines) if (typeof line.value.id === 'string' && 'parentId' in line.value) byId.set(line.value.id, line);
  if (byId.size === 0) return lines;
  const path = new Set<JsonLine>();
  let at: JsonLine | undefined = [...byId.values()].at(-1);
  while (at !== undefined && !path.has(at)) {
    path.add(at);
    at = byId.get(asText(at.value.parentId) ?? '');
  }
  const ordered = [...path].reverse();
  counter.add('lines of abandoned branches', byId.size - ordered.length);
  return ordered;
}
