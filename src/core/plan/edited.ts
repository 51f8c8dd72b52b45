// A message after its edits, in neutral terms, and what it costs then. The same rules as the codecs follow on raw bytes.
import { estimateMessage } from '../size/estimator.ts';
import type { Entry, Message, Part } from '../transcript/entry.ts';
import { dropBoundThinking, hasBoundThinking } from '../transcript/thinking.ts';
import type { PartEdit } from './edit.ts';

function editedPart(part: Part, edit: PartEdit): readonly Part[] {
  if (edit.kind === 'drop') return [];
  if (edit.kind === 'replace-arguments' && part.kind === 'call') return [{ ...part, argumentsText: edit.argumentsText }];
  if (edit.kind === 'replace-text' && part.kind === 'result') return [{ ...part, text: edit.text, media: [] }];
  if (edit.kind === 'replace-text' && part.kind === 'text') return [{ ...part, text: edit.text }];
  if (edit.kind === 'replace-media' && part.kind === 'media') return [{ kind: 'text', text: edit.text }];
  return [part];
}

/** The parts that are sent after a commit: edits applied, signed thinking dropped (its bytes in front have changed). */
export function editedMessage(message: Message, edits: readonly PartEdit[]): Message {
  const byPart = new Map<number, PartEdit>();
  const before: Part[] = [];
  const after: Part[] = [];
  for (const edit of edits) {
    if (edit.kind === 'prepend-text') before.push({ kind: 'text', text: edit.text });
    else if (edit.kind === 'append-text') after.push({ kind: 'text', text: edit.text });
    else byPart.set(edit.part, edit);
  }
  for (const edit of dropBoundThinking(message)) if (edit.kind === 'drop') byPart.set(edit.part, edit);
  const parts = message.parts.flatMap((part, index) => {
    const edit = byPart.get(index);
    return edit === undefined ? [part] : editedPart(part, edit);
  });
  return { ...message, parts: [...before, ...parts, ...after] };
}

/** Estimated tokens of an entry after a commit; 0 when nothing of it is sent. */
export function sentTokens(entry: Entry, edits: readonly PartEdit[] = []): number {
  const { message } = entry;
  if (edits.length === 0 && !hasBoundThinking(message)) return entry.tokens;
  const edited = editedMessage(message, edits);
  return edited.parts.length === 0 && message.parts.length > 0 ? 0 : estimateMessage(edited);
}
