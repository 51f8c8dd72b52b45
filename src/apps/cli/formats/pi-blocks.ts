// Pi's content blocks as Anthropic's.
import { textBlock } from './body.ts';
import type { Counter } from './counter.ts';
import { rawArray, rawElements, rawMembers, rawObject } from './raw-json.ts';
import { asText, isObject, type Json } from './transcript.ts';

/** Raw Anthropic blocks for the content of a message; blocks that the API would refuse are left out and counted. */
export function piBlocks(rawContent: string | undefined, content: unknown, counter: Counter): string[] {
  if (typeof content === 'string') return content === '' ? [] : [textBlock(content)];
  const values: readonly unknown[] = Array.isArray(content) ? content : [];
  return rawElements(rawContent).flatMap((raw, index) => {
    const value = values[index];
    return isObject(value) ? toBlock(value, raw, counter) : [];
  });
}

function toBlock(block: Json, raw: string, counter: Counter): string[] {
  if (block.type === 'text') return asText(block.text) === '' ? [] : [textBlock(asText(block.text) ?? '')];
  if (block.type === 'image') return [imageBlock(block)];
  if (block.type === 'toolCall') {
    const members = rawMembers(raw);
    return [rawObject({ type: '"tool_use"', id: members.get('id'), name: members.get('name'), input: members.get('arguments') ?? '{}' })];
  }
  const signature = asText(block.thinkingSignature);
  if (block.type === 'thinking' && signature !== undefined && signature !== '') {
    return [JSON.stringify({ type: 'thinking', thinking: asText(block.thinking) ?? '', signature })];
  }
  counter.add(block.type === 'thinking' ? 'unsigned thinking blocks' : 'blocks of an unknown type');
  return [];
}

function imageBlock(block: Json): string {
  const source = { type: 'base64', media_type: asText(block.mimeType) ?? 'image/png', data: asText(block.data) ?? '' };
  return JSON.stringify({ type: 'image', source });
}

/** A raw tool_result block for a message of role toolResult. */
export function piToolResult(message: Json, rawContent: string | undefined, counter: Counter): string {
  return rawObject({
    type: '"tool_result"',
    tool_use_id: JSON.stringify(asText(message.toolCallId) ?? ''),
    content: rawArray(piBlocks(rawContent, message.content, counter)),
    is_error: message.isError === true ? 'true' : undefined,
  });
}
