// Gemini CLI: recorded chats (one JSON object, in newer versions lines of it) and checkpoints saved by hand (the API's own contents).
// OpenAI Chat is the nearest of the three APIs: calls have ids, several results follow one answer.
import { chatBody } from './body.ts';
import { type Counter, createCounter } from './counter.ts';
import type { Document } from './document.ts';
import { contentsToChat, isContent } from './gemini-contents.ts';
import { recordToChat } from './gemini-records.ts';
import { rawElements, rawMembers } from './raw-json.ts';
import { type FormatReader, unexpected } from './reader.ts';
import { asObjects, asText, isObject, type Json, type Transcript } from './transcript.ts';

const RECORD_TYPES = new Set(['user', 'gemini', 'info', 'error', 'warning']);

export const geminiCliReader: FormatReader = {
  format: 'gemini-cli',
  expected: 'a recorded chat ("sessionId" and "messages" of type user and gemini) or a checkpoint (an array of { role, parts })',
  recognises: (document) => recordsOf(document) !== undefined || contentsOf(document) !== undefined,
  read,
};

interface RawRecord {
  readonly raw: string;
  readonly value: Json;
}

function isRecord(value: unknown): value is Json {
  return isObject(value) && RECORD_TYPES.has(asText(value.type) ?? '') && 'content' in value && !('message' in value);
}

/** The records of a chat, in either layout. */
function recordsOf(document: Document): readonly RawRecord[] | undefined {
  const { value, lines } = document;
  if (isObject(value) && Array.isArray(value.messages) && value.messages.some((message) => isRecord(message) && 'id' in message)) {
    const values: readonly unknown[] = value.messages;
    const raws = rawElements(rawMembers(document.text).get('messages'));
    return raws.flatMap((raw, index) => (isRecord(values[index]) ? [{ raw, value: values[index] }] : []));
  }
  const isLines = typeof lines[0]?.value.sessionId === 'string' && lines.some((line) => isRecord(line.value) && 'id' in line.value);
  return value === undefined && isLines ? replay(lines.map((line) => ({ raw: line.text, value: line.value }))) : undefined;
}

/** Later lines replace a record, or take it and all after it back. */
function replay(lines: readonly RawRecord[]): readonly RawRecord[] {
  const records = new Map<string, RawRecord>();
  for (const line of lines) {
    const target = asText(line.value.$rewindTo);
    if (target !== undefined && records.has(target)) {
      const ids = [...records.keys()];
      for (const id of ids.slice(ids.indexOf(target))) records.delete(id);
    }
    if (isRecord(line.value)) records.set(asText(line.value.id) ?? `line ${records.size}`, line);
  }
  return [...records.values()];
}

/** The contents of a checkpoint: bare, or under `history` or `contents`. */
function contentsOf(document: Document): readonly string[] | undefined {
  const { value, text } = document;
  if (Array.isArray(value)) return value.length > 0 && value.every(isContent) ? rawElements(text) : undefined;
  if (!isObject(value)) return undefined;
  const key = ['history', 'contents'].find((name) => asObjects(value[name]).some(isContent));
  return key === undefined ? undefined : rawElements(rawMembers(text).get(key));
}

function read(document: Document): Transcript {
  const counter = createCounter();
  const records = recordsOf(document);
  const contents = contentsOf(document);
  const messages = records === undefined ? contentsToChat(contents ?? [], counter) : fromRecords(records, counter);
  if (messages.length === 0) throw unexpected(document, 1, geminiCliReader.expected);
  const newest = records?.findLast((record) => record.value.type === 'gemini')?.value;
  const tokens = isObject(newest?.tokens) ? newest.tokens : {};
  const model = asText(newest?.model);
  return {
    format: 'gemini-cli',
    api: 'openai-chat',
    model,
    bodyText: chatBody({ model, messages }),
    notes: counter.notes(),
    measuredTokens: typeof tokens.input === 'number' ? tokens.input : undefined,
    unseen: 'system prompt and tools',
  };
}

function fromRecords(records: readonly RawRecord[], counter: Counter): string[] {
  return records.flatMap((record) => recordToChat(record.value, record.raw, counter));
}
