// One record of a Gemini CLI chat as Chat messages.
import { chatMessage } from './body.ts';
import type { Counter } from './counter.ts';
import { callsMessage, partsText, resultMessage } from './gemini-contents.ts';
import { rawElements, rawMembers } from './raw-json.ts';
import { asObjects, asText, type Json } from './transcript.ts';

/** Raw Chat messages: a user's text, or an answer with its calls and their results. Notices of the client are left out and counted. */
export function recordToChat(record: Json, raw: string, counter: Counter): string[] {
  const text = partsText(record.content, counter);
  if (record.type === 'user') return text === '' ? [] : [chatMessage('user', text)];
  if (record.type !== 'gemini') {
    counter.add('notices of the client');
    return [];
  }
  counter.add('thought summaries', asObjects(record.thoughts).length);
  const calls = asObjects(record.toolCalls);
  if (calls.length === 0) return text === '' ? [] : [chatMessage('assistant', text)];
  const rawCalls = rawElements(rawMembers(raw).get('toolCalls')).map((call) => rawMembers(call));
  const named = calls.map((call, index) => ({
    id: asText(call.id) ?? `call_${index}`,
    name: asText(call.name) ?? 'unknown',
    argumentsText: rawCalls[index]?.get('args') ?? '{}',
  }));
  const results = calls.flatMap((call, index) => resultOf(call, named[index]?.id ?? '', counter));
  return [callsMessage(text, named), ...results];
}

function resultOf(call: Json, callId: string, counter: Counter): string[] {
  const parts = Array.isArray(call.result) ? call.result : call.result === undefined || call.result === null ? [] : [call.result];
  return parts.length === 0 ? [] : [resultMessage(callId, partsText(parts, counter))];
}
