// Reasoning blocks that a provider binds to the bytes before them: kept as they are, or dropped whole.
import type { PartEdit } from '../plan/edit.ts';
import type { Message, Part } from './entry.ts';

const isBound = (part: Part): boolean => part.kind === 'thinking' && part.isBound;

/** True for a part that can stand in a message without any reasoning beside it. */
export function isSubstance(part: Part): boolean {
  return part.kind === 'text' ? part.text.trim() !== '' : part.kind !== 'thinking';
}

/** True when the message holds reasoning that is bound to the bytes before it. */
export function hasBoundThinking(message: Message): boolean {
  return message.parts.some(isBound);
}

/**
 * Edits that drop every bound block of a message whole. When nothing but reasoning would be left, everything is dropped: a message of
 * reasoning alone is refused by the APIs, so the entry is then omitted.
 */
export function dropBoundThinking(message: Message): readonly PartEdit[] {
  if (!hasBoundThinking(message)) return [];
  const isEmptied = !message.parts.some(isSubstance);
  return message.parts.flatMap((part, index) => (isEmptied || isBound(part) ? [{ kind: 'drop' as const, part: index }] : []));
}
