// Live events of one tenant's compactions as a stream. A reader that is slow loses the oldest, and is told how many.
import { eventText } from '../proxy/event-text.ts';
import type { CompactionEvent, CompactionEvents } from '../sessions/compaction-events.ts';

/** Events kept for a reader that does not take them. */
const MOST_WAITING = 256;
const HEARTBEAT_MS = 15_000;
/** Readers of one tenant at once. */
export const MOST_LISTENERS = 32;

export function liveEvents(events: CompactionEvents, tenant: string, closing: AbortSignal): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const waiting: string[] = [];
  let lost = 0;
  let wake: (() => void) | undefined;
  let stop: (() => void) | undefined;
  const offer = (text: string) => {
    waiting.push(text);
    if (waiting.length > MOST_WAITING) {
      waiting.shift();
      lost++;
    }
    wake?.();
  };
  const end = () => {
    stop?.();
    wake?.();
  };
  const begin = () => {
    const stopListening = events.listen(tenant, ({ name, data }: CompactionEvent) => offer(eventText(name, data)));
    const heartbeat = setInterval(() => waiting.length === 0 && offer(': \n\n'), HEARTBEAT_MS);
    closing.addEventListener('abort', end, { once: true });
    offer(': listening\n\n');
    return () => {
      stopListening();
      clearInterval(heartbeat);
      closing.removeEventListener('abort', end);
    };
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        // Of an answer to HEAD nothing is ever read, nor is it ended.
        stop ??= begin();
        while (waiting.length === 0 && !closing.aborted) await new Promise<void>((resolve) => (wake = resolve));
        if (closing.aborted) {
          controller.close();
          return;
        }
        if (lost > 0) controller.enqueue(encoder.encode(eventText('events-lost', { count: lost })));
        lost = 0;
        controller.enqueue(encoder.encode(waiting.shift()!));
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}
