// The sides of a talk in the words of one API.
import type { Api, CallPart } from '../core/transcript/entry.ts';
import type { Side } from './convert-sides.ts';

/** Messages wants a user's message first. */
const NO_FIRST_ASK: Side = { role: 'user', texts: ['[The conversation begins with the assistant.]'], calls: [], results: [] };

export function encodeSides(api: Api, sides: readonly Side[]): readonly object[] {
  if (api === 'openai-chat') return sides.flatMap(encodeChat);
  if (api === 'openai-responses') return sides.flatMap(encodeResponses);
  const spoken = sides[0]?.role === 'assistant' ? [NO_FIRST_ASK, ...sides] : sides;
  return spoken.map((side, index) => encodeAnthropic(side, index === spoken.length - 1));
}

function encodeAnthropic({ role, texts, calls, results }: Side, isLast: boolean): object {
  const isAssistant = role === 'assistant';
  const content = [
    ...results.map((part) => ({
      type: 'tool_result',
      tool_use_id: part.callId,
      content: part.text,
      ...(part.isError ? { is_error: true } : {}),
    })),
    ...texts.map((text) => ({ type: 'text', text: isLast && isAssistant ? text.trimEnd() : text })),
    ...calls.map((part) => ({ type: 'tool_use', id: part.id, name: part.name, input: argumentsObject(part) })),
  ];
  return { role: isAssistant ? 'assistant' : 'user', content };
}

/** Arguments as an object, which is what that API wants; text that is none is kept under one name. */
function argumentsObject(part: CallPart): object {
  const parsed = parse(part.argumentsText);
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed;
  return part.argumentsText.trim() === '' ? {} : { arguments: part.argumentsText };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** JSON text stays as it was written. */
function argumentsJson(part: CallPart): string {
  return parse(part.argumentsText) === undefined ? JSON.stringify(argumentsObject(part)) : part.argumentsText;
}

function encodeChat({ role, texts, calls, results }: Side): readonly object[] {
  const tools = results.map((part) => ({ role: 'tool', tool_call_id: part.callId, content: part.text }));
  if (role !== 'assistant') return texts.length === 0 ? tools : [...tools, { role, content: texts.join('\n\n') }];
  const content = texts.length === 0 ? null : texts.join('\n\n');
  const toolCalls = calls.map((part) => ({
    id: part.id,
    type: 'function',
    function: { name: part.name, arguments: argumentsJson(part) },
  }));
  return [{ role, content, ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }) }];
}

function encodeResponses({ role, texts, calls, results }: Side): readonly object[] {
  const type = role === 'assistant' ? 'output_text' : 'input_text';
  const outputs = results.map((part) => ({ type: 'function_call_output', call_id: part.callId, output: part.text }));
  const message = texts.length === 0 ? [] : [{ type: 'message', role, content: texts.map((text) => ({ type, text })) }];
  const items = calls.map((part) => ({ type: 'function_call', call_id: part.id, name: part.name, arguments: argumentsJson(part) }));
  return [...outputs, ...message, ...items];
}
