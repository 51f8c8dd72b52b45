// An answer as it grows: "typing" until its first words, then a message that is edited now and then. Everything here may fail or be left out:
// what counts is delivered afterwards.
import type { Live, Work } from '../channel.ts';
import { LeaseLost } from '../store/lease.ts';
import { outMessages } from '../store/outbox.ts';
import { write } from '../turn/turn-run.ts';
import { BotApiFault } from './bot-api.ts';
import { type Placing, place } from './place.ts';
import { splitText } from './split-text.ts';

const TYPING_EVERY_MS = 4_500;
const LOOK_EVERY_MS = 200;
const GROWING = ' …';

export function liveMessage(placing: Placing, work: Work): Live {
  const { chat, api, pace } = placing;
  const { item } = work;
  const ended = new AbortController();
  const signal = AbortSignal.any([work.signal, ended.signal]);
  let words = '';
  let shown = '';
  let messageId: number | undefined;
  let running: Promise<void> | undefined;

  const show = async (): Promise<void> => {
    const next = previewOf(words);
    if (next === shown || signal.aborted) return;
    messageId ??= await placeFirst(placing, work);
    // The place is taken for the answer; only its growing is over with the end.
    if (messageId === undefined || signal.aborted) return;
    // Who takes over may have put the whole answer there meanwhile.
    await write({ chat, lease: work.lease }, () => {});
    await api.edit(item.address, { id: messageId, text: next }, signal);
    shown = next;
  };
  const tick = () => {
    if (words === '' || running !== undefined || !pace.tryEdit(item.address)) return;
    running = show()
      .catch((error: unknown) => {
        if (error instanceof BotApiFault && error.kind === 'rate') pace.rest(item.address, error.retryAfterMs);
        else if (!signal.aborted && !(error instanceof LeaseLost))
          chat.log.write('debug', 'A growing answer could not be shown.', { error: chat.secrets.redact(String(error)) });
      })
      .finally(() => {
        running = undefined;
      });
  };
  const type = () => void api.typing(item.address, signal).catch(() => {});
  const looking = setInterval(tick, LOOK_EVERY_MS);
  const typing = setInterval(type, TYPING_EVERY_MS);
  if (item.kind === 'text') type();
  return {
    text: (soFar) => {
      words = soFar;
    },
    tool: () => type(),
    async end() {
      clearInterval(looking);
      clearInterval(typing);
      ended.abort();
      await running;
    },
  };
}

/** Its first part: what follows comes with the end. */
function previewOf(words: string): string {
  if (words.trim() === '') return '';
  const parts = splitText(words);
  return parts.length > 1 ? parts[0]! : splitText(words + GROWING)[0]!;
}

async function placeFirst(placing: Placing, work: Work): Promise<number | undefined> {
  const [first] = await placing.chat.db.read((sql) => outMessages(sql, work.item.id));
  if (first?.messageId !== undefined || first?.state === 'failed') return first.messageId;
  return place(placing, work, first ?? { itemId: work.item.id, ordinal: 0, state: 'waiting' });
}
