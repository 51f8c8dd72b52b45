// Pictures that the provider does not take: the question goes on without them, and nobody is told that they were seen. They must not stay in the turn,
// or the provider would refuse each request after it.
import type { ModelMessage } from 'ai';
import { imagesOf, textPart, userMessage, userPartsOf } from '../model/message-parts.ts';
import { addNotice } from '../store/outbox.ts';
import { replaceStep, type Turn } from '../store/turns.ts';
import { type TurnRun, write } from './turn-run.ts';

/** The library leaves out what it knows to be refused as too large, too many or unreadable. */
export const NOT_SEEN =
  'ℹ️ The model did not see your picture: its provider does not take it, or the request had no room for it. The answer was made without it.';

export const hasImages = (message: ModelMessage): boolean => imagesOf(message).length > 0;

/** Of closed turns, in the format of any API. */
export const hasImageParts = (history: string): boolean => /"type":"(?:image|image_url|input_image)"/.test(history);

/** Whether the request, as it goes out, is without pictures of the turn. */
export function lacksImages(requestText: string, steps: readonly ModelMessage[]): boolean {
  return steps.flatMap(imagesOf).some((image) => !requestText.includes(image));
}

/** The turn without its pictures, stored. */
export async function leaveImagesOut(run: TurnRun, turn: Turn, refusal: string): Promise<Turn> {
  const { log } = run.chat;
  log.write('warn', 'The provider may take no pictures: the question goes on without. If the model takes none, set "images": false.', {
    refusal,
  });
  const steps = turn.steps.map((message) => (hasImages(message) ? withoutImages(message) : message));
  await write(run, (sql) => {
    for (const [position, message] of steps.entries())
      if (message !== turn.steps[position]) replaceStep(sql, { itemId: turn.itemId, epoch: turn.state.epoch, position }, message);
    addNotice(sql, turn.itemId, NOT_SEEN);
  });
  return { ...turn, steps };
}

function withoutImages(message: ModelMessage): ModelMessage {
  return userMessage(
    userPartsOf(message).map((part) => (part.type === 'image' ? textPart('[A picture, which cannot be seen here.]') : part)),
  );
}
