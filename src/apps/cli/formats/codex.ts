// Codex rollouts: one JSON object a line, the items of the Responses API among records of the client. Older files hold the items bare.
import { responsesBody } from './body.ts';
import { createCounter } from './counter.ts';
import type { Document, JsonLine } from './document.ts';
import { rawMembers, rawObject } from './raw-json.ts';
import { type FormatReader, unexpected } from './reader.ts';
import { asObjects, asText, isObject, type Json, OWN_SUMMARIES, type Transcript } from './transcript.ts';

const RECORD_TYPES = new Set(['session_meta', 'response_item', 'event_msg', 'turn_context', 'compacted']);
const ITEM_TYPES = new Set([
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'local_shell_call',
  'local_shell_call_output',
  'web_search_call',
  'tool_search_call',
  'tool_search_output',
  'image_generation_call',
  'compaction',
]);
/** Texts of the client that stand in user messages. */
const CLIENT_TEXT =
  /^\s*(<(environment_context|user_instructions|turn_aborted|user_shell_command|skill|INSTRUCTIONS)\b|# AGENTS\.md instructions)/i;

export const codexReader: FormatReader = {
  format: 'codex',
  expected: 'JSONL whose lines have "timestamp", "type" (session_meta, response_item, …) and "payload"',
  recognises: ({ lines }) => lines.some((line) => isRecord(line.value)) || (lines.length > 1 && isOldStart(lines) && lines.some(isOldItem)),
  read,
};

function isRecord(value: Json): boolean {
  return typeof value.type === 'string' && RECORD_TYPES.has(value.type) && isObject(value.payload);
}

function isOldStart(lines: readonly JsonLine[]): boolean {
  const first = lines[0]?.value ?? {};
  return typeof first.id === 'string' && typeof first.timestamp === 'string' && first.type === undefined;
}

function isOldItem(line: JsonLine): boolean {
  return typeof line.value.type === 'string' && ITEM_TYPES.has(line.value.type);
}

interface Item {
  readonly raw: string;
  /** True for a message that the person wrote. */
  readonly isPrompt: boolean;
}

function read(document: Document): Transcript {
  const counter = createCounter();
  const items: Item[] = [];
  let system = asText(document.lines[0]?.value.instructions);
  let model: string | undefined;
  let measuredTokens: number | undefined;
  for (const line of document.lines) {
    const isWrapped = isRecord(line.value);
    const payload = isWrapped ? (line.value.payload as Json) : line.value;
    const raw = isWrapped ? (rawMembers(line.text).get('payload') ?? '') : line.text;
    const kind = isWrapped ? line.value.type : 'response_item';
    if (kind === 'session_meta') system = systemOf(payload) ?? system;
    else if (kind === 'turn_context') model = asText(payload.model) ?? model;
    else if (kind === 'compacted') counter.add(OWN_SUMMARIES);
    else if (kind === 'event_msg') {
      measuredTokens = measuredOf(payload) ?? measuredTokens;
      counter.add('messages taken back', rollBack(items, payload));
    } else if (ITEM_TYPES.has(asText(payload.type) ?? '')) items.push({ raw: sendable(raw, payload), isPrompt: isPrompt(payload) });
    else counter.add('bookkeeping lines');
  }
  if (items.length === 0) throw unexpected(document, 1, 'at least one "response_item"');
  const bodyText = responsesBody({ model, system, messages: items.map((item) => item.raw) });
  const notes = counter.notes();
  return {
    format: 'codex',
    api: 'openai-responses',
    preamble: system,
    model,
    bodyText,
    notes,
    measuredTokens,
    unseen: system === undefined ? 'system prompt and tools' : 'tools',
  };
}

function systemOf(meta: Json): string | undefined {
  const base = isObject(meta.base_instructions) ? meta.base_instructions.text : meta.base_instructions;
  return asText(base) ?? asText(meta.instructions);
}

function measuredOf(event: Json): number | undefined {
  const info = event.type === 'token_count' && isObject(event.info) ? event.info : {};
  const usage = isObject(info.last_token_usage) ? info.last_token_usage : {};
  return typeof usage.input_tokens === 'number' ? usage.input_tokens : undefined;
}

function isPrompt(item: Json): boolean {
  if (item.type !== 'message' || item.role !== 'user') return false;
  const text = asText(item.content) ?? asText(asObjects(item.content)[0]?.text) ?? '';
  return !CLIENT_TEXT.test(text);
}

/** Takes the newest turns back that the event names. Returns how many items went. */
function rollBack(items: Item[], event: Json): number {
  if (event.type !== 'thread_rolled_back' || typeof event.num_turns !== 'number') return 0;
  let turns = event.num_turns;
  let keep = items.length;
  while (turns > 0 && keep > 0) {
    keep -= 1;
    if (items[keep]?.isPrompt === true) turns -= 1;
  }
  return items.splice(keep).length;
}

/** Early files wrote a result's output as { content, success }; the API wants its text. */
function sendable(raw: string, payload: Json): string {
  if (!isObject(payload.output)) return raw;
  const members = rawMembers(raw);
  const output = rawMembers(members.get('output')).get('content') ?? JSON.stringify(members.get('output'));
  return rawObject({ ...Object.fromEntries(members), output });
}
