// What a conversation notes of its newest request, for calls without one.
import type { ConversationRow } from '../ports/store.ts';
import type { RequestShape } from './request.ts';

export function notesOf(shape: RequestShape): Required<Pick<ConversationRow, 'lastModel' | 'lastBudget'>> {
  return { lastModel: shape.model, lastBudget: JSON.stringify(shape) };
}
