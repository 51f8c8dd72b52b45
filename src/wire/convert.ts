// Messages of one API written as another's: for leaving. Reasoning, provider items and media cannot be carried; media leave a mark.
import type { Api, CallPart, Message, Part, ResultPart } from '../core/transcript/entry.ts';
import { codecFor } from './index.ts';

interface Side {
  readonly role: 'assistant' | 'user' | 'system';
  readonly texts: string[];
  readonly calls: CallPart[];
  readonly results: ResultPart[];
}

/** JSON texts of the messages in the other format. */
export function convertMessages(from: Api, to: Api, raws: readonly string[]): readonly string[] {
  const messages = raws.map((raw) => codecFor(from).decodeMessage(raw));
  return groupSides(messages)
    .flatMap((side) => ENCODERS[to](side))
    .map((message) => JSON.stringify(message));
}

/** Neighbours of one side become one message; a result never joins a message that already holds a user's text. */
function groupSides(messages: readonly Message[]): readonly Side[] {
  const sides: Side[] = [];
  for (const message of messages) {
    const role = message.role === 'tool' ? 'user' : message.role;
    const last = sides.at(-1);
    const hasResults = message.parts.some((part) => part.kind === 'result');
    const isJoined = last !== undefined && last.role === role && role !== 'system' && !(hasResults && last.texts.length > 0);
    const side = isJoined ? last : { role, texts: [], calls: [], results: [] };
    if (!isJoined) sides.push(side);
    for (const part of message.parts) addPart(side, part);
  }
  return sides.filter((side) => side.texts.length + side.calls.length + side.results.length > 0);
}

function addPart(side: Side, part: Part): void {
  if (part.kind === 'text' && part.text !== '') side.texts.push(part.text);
  else if (part.kind === 'call') side.calls.push(part);
  else if (part.kind === 'result') side.results.push(part);
  else if (part.kind === 'media') side.texts.push(`[${part.mediaKind}, ${part.sizeBytes} bytes, not carried over]`);
}

type Encoder = (side: Side) => readonly object[];

const ENCODERS: Record<Api, Encoder> = { anthropic: encodeAnthropic, 'openai-chat': encodeChat, 'openai-responses': encodeResponses };

function encodeAnthropic({ role, texts, calls, results }: Side): readonly object[] {
  const resultBlocks = results.map((part) => ({
    type: 'tool_result',
    tool_use_id: part.callId,
    content: part.text,
    ...(part.isError ? { is_error: true } : {}),
  }));
  const textBlocks = texts.map((text) => ({ type: 'text', text }));
  const callBlocks = calls.map((part) => ({ type: 'tool_use', id: part.id, name: part.name, input: argumentsOf(part) }));
  return [{ role: role === 'assistant' ? 'assistant' : 'user', content: [...resultBlocks, ...textBlocks, ...callBlocks] }];
}

/** Arguments as an object, which is what that API wants; text that is none is kept under one name. */
function argumentsOf(part: CallPart): object {
  try {
    const parsed: unknown = JSON.parse(part.argumentsText);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed;
  } catch {
    // not JSON: kept as text below
  }
  return { arguments: part.argumentsText };
}

function encodeChat({ role, texts, calls, results }: Side): readonly object[] {
  const tools = results.map((part) => ({ role: 'tool', tool_call_id: part.callId, content: part.text }));
  if (role !== 'assistant') return texts.length === 0 ? tools : [...tools, { role, content: texts.join('\n\n') }];
  const content = texts.length === 0 ? null : texts.join('\n\n');
  const toolCalls = calls.map((part) => ({ id: part.id, type: 'function', function: { name: part.name, arguments: part.argumentsText } }));
  return [{ role, content, ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }) }, ...tools];
}

function encodeResponses({ role, texts, calls, results }: Side): readonly object[] {
  const type = role === 'assistant' ? 'output_text' : 'input_text';
  const outputs = results.map((part) => ({ type: 'function_call_output', call_id: part.callId, output: part.text }));
  const message = texts.length === 0 ? [] : [{ type: 'message', role, content: texts.map((text) => ({ type, text })) }];
  const items = calls.map((part) => ({ type: 'function_call', call_id: part.id, name: part.name, arguments: part.argumentsText }));
  return [...outputs, ...message, ...items];
}
