// What a message of the SDK says and asks for.
import type { ImagePart, ModelMessage, TextPart, ToolCallPart } from 'ai';

export function textOf({ content }: ModelMessage): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}

export function callsOf({ role, content }: ModelMessage): readonly ToolCallPart[] {
  if (role !== 'assistant' || typeof content === 'string') return [];
  return content.filter((part) => part.type === 'tool-call');
}

export const textPart = (text: string): TextPart => ({ type: 'text', text });

export const userMessage = (content: readonly (TextPart | ImagePart)[]): ModelMessage => ({ role: 'user', content: [...content] });

/** What a person's message is made of. */
export function userPartsOf({ role, content }: ModelMessage): readonly (TextPart | ImagePart)[] {
  if (role !== 'user') return [];
  return typeof content === 'string' ? [textPart(content)] : content.filter((part) => part.type !== 'file');
}

/** The pictures of a message, as base64. */
export function imagesOf(message: ModelMessage): readonly string[] {
  return userPartsOf(message).flatMap((part) => (part.type === 'image' ? [String(part.image)] : []));
}

export const assistantMessage = (text: string): ModelMessage => ({ role: 'assistant', content: [{ type: 'text', text }] });
