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

/** True for reasoning that a provider can refuse because of what stands around it: bound blocks, and encrypted ones. */
const isVerified = (part: Part): boolean => part.kind === 'thinking' && (part.isBound || part.opaqueChars > 0);

/**
 * Edits that drop every bound block of a message whole. When nothing but reasoning would be left, everything is dropped: a message of
 * reasoning alone is refused by the APIs, so the entry is then omitted.
 */
export function dropBoundThinking(message: Message): readonly PartEdit[] {
  return dropWhere(message, isBound);
}

/** The same for all reasoning that a provider verifies, encrypted blocks that are bound to nothing included. */
export function dropVerifiedThinking(message: Message): readonly PartEdit[] {
  return dropWhere(message, isVerified);
}

function dropWhere({ parts }: Message, isDropped: (part: Part) => boolean): readonly PartEdit[] {
  if (!parts.some(isDropped)) return [];
  const isEmptied = !parts.some(isSubstance);
  return parts.flatMap((part, index) => (isEmptied || isDropped(part) ? [{ kind: 'drop' as const, part: index }] : []));
}
