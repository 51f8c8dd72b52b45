// What a message of the SDK says and asks for.
import type { ModelMessage, ToolCallPart } from 'ai';

export function textOf({ content }: ModelMessage): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}

export function callsOf({ role, content }: ModelMessage): readonly ToolCallPart[] {
  if (role !== 'assistant' || typeof content === 'string') return [];
  return content.filter((part) => part.type === 'tool-call');
}

export const userMessage = (...texts: readonly string[]): ModelMessage => ({
  role: 'user',
  content: texts.map((text) => ({ type: 'text', text })),
});

export const assistantMessage = (text: string): ModelMessage => ({ role: 'assistant', content: [{ type: 'text', text }] });
