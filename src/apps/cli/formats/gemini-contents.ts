// The Gemini API's contents (role and parts) as Chat messages. Its calls often have no id: results then answer them in order.
import { chatMessage } from './body.ts';
import type { Counter } from './counter.ts';
import { rawElements, rawMembers, rawObject } from './raw-json.ts';
import { asObjects, asText, isObject, type Json } from './transcript.ts';

export interface NamedCall {
  readonly id: string;
  readonly name: string;
  /** Raw JSON of the arguments. */
  readonly argumentsText: string;
}

export function isContent(value: unknown): value is Json {
  return isObject(value) && (value.role === 'user' || value.role === 'model') && Array.isArray(value.parts);
}

/** Raw Chat messages of raw contents. */
export function contentsToChat(contents: readonly string[], counter: Counter): string[] {
  let pending: NamedCall[] = [];
  let made = 0;
  return contents.flatMap((raw) => {
    const value: unknown = JSON.parse(raw);
    if (!isContent(value)) return [];
    const parts = asObjects(value.parts);
    const text = partsText(
      parts.filter((part) => !('functionResponse' in part)),
      counter,
    );
    if (value.role === 'model') {
      pending = rawElements(rawMembers(raw).get('parts')).flatMap((part) => callOf(part, () => `call_${++made}`));
      if (pending.length > 0) return [callsMessage(text, pending)];
      return text === '' ? [] : [chatMessage('assistant', text)];
    }
    const results = parts.filter((part) => isObject(part.functionResponse)).map((part) => answer(part, pending, counter));
    return text === '' ? results : [...results, chatMessage('user', text)];
  });
}

function callOf(rawPart: string, nextId: () => string): NamedCall[] {
  const call = rawMembers(rawMembers(rawPart).get('functionCall'));
  if (!call.has('name')) return [];
  const id = call.get('id');
  return [
    {
      id: (id === undefined ? undefined : asText(JSON.parse(id))) ?? nextId(),
      name: String(JSON.parse(call.get('name') ?? '""')),
      argumentsText: call.get('args') ?? '{}',
    },
  ];
}

/** The result message of a functionResponse part; takes the call it answers off the list. */
function answer(part: Json, pending: NamedCall[], counter: Counter): string {
  const response = part.functionResponse as Json;
  const byId = pending.findIndex((call) => call.id === response.id);
  const at = byId >= 0 ? byId : pending.findIndex((call) => call.name === response.name);
  const [call] = at >= 0 ? pending.splice(at, 1) : [];
  return resultMessage(call?.id ?? asText(response.id) ?? 'call_unknown', partsText([part], counter));
}

/** An answer with calls. */
export function callsMessage(text: string, calls: readonly NamedCall[]): string {
  const toolCalls = calls.map(({ id, name, argumentsText }) => ({ id, type: 'function', function: { name, arguments: argumentsText } }));
  return rawObject({ role: '"assistant"', content: text === '' ? 'null' : JSON.stringify(text), tool_calls: JSON.stringify(toolCalls) });
}

/** The result of a call. */
export function resultMessage(callId: string, text: string): string {
  return JSON.stringify({ role: 'tool', tool_call_id: callId, content: text });
}

/** The text of a string, a part or parts; of a function's response what it put out. Media are named and counted, thoughts left out. */
export function partsText(content: unknown, counter: Counter): string {
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? content : [content];
  return parts.map((part) => (typeof part === 'string' ? part : isObject(part) ? partText(part, counter) : '')).join('');
}

function partText(part: Json, counter: Counter): string {
  if (part.thought === true) {
    counter.add('thought summaries');
    return '';
  }
  if (typeof part.text === 'string') return part.text;
  if (isObject(part.inlineData) || isObject(part.fileData)) {
    counter.add('media parts, named only');
    const media = (isObject(part.inlineData) ? part.inlineData : part.fileData) as Json;
    return `[${asText(media.mimeType) ?? 'media'}]`;
  }
  if (!isObject(part.functionResponse)) return '';
  const { response } = part.functionResponse;
  const output = isObject(response) ? (response.output ?? response.error ?? response) : response;
  return typeof output === 'string' ? output : (JSON.stringify(output) ?? '');
}
