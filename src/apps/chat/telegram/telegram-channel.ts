// Telegram as a place to talk.
import { setTimeout as wait } from 'node:timers/promises';
import { type Channel, FileRefused, type Work } from '../channel.ts';
import { noteOut, outMessages } from '../store/outbox.ts';
import type { OutMessage } from '../store/rows.ts';
import { write } from '../turn/turn-run.ts';
import { BotApiFault, type Edited } from './bot-api.ts';
import { liveMessage } from './live-message.ts';
import { type Placing, pauseAfter, place } from './place.ts';
import { splitText } from './split-text.ts';

export function telegramChannel(placing: Placing, source: string): Channel {
  return {
    source,
    split: (text) => splitText(text),
    fetchFile: (file, maxBytes, signal) =>
      placing.api.download(file.id, maxBytes, signal).catch((error: unknown) => {
        if (!(error instanceof BotApiFault) || error.kind !== 'refused') throw error;
        throw new FileRefused(`Telegram does not give it (${error.message})`, { cause: error });
      }),
    begin: (work) => liveMessage(placing, work),
    async deliver(work) {
      const messages = await placing.chat.db.read((sql) => outMessages(sql, work.item.id));
      for (const message of messages) if (message.state !== 'sent' && message.state !== 'failed') await deliverOne(placing, work, message);
    },
  };
}

type Working = Omit<Work, 'stop'>;

/** A message that people deleted is sent again; that ends somewhere. */
const PLACES = 3;

async function deliverOne(placing: Placing, work: Working, message: OutMessage): Promise<void> {
  let id = message.messageId;
  for (let places = 0; places < PLACES; places++) {
    id ??= await place(placing, work, message);
    if (id === undefined) return;
    const edited = await putWords(placing, work, { message, id });
    if (edited !== 'gone') return note(placing, work, { message, state: edited === 'refused' ? 'failed' : 'sent' });
    id = undefined;
  }
  placing.chat.log.write('error', 'An answer was deleted again and again; it stays stored.', { session: work.item.session });
  await note(placing, work, { message, state: 'failed' });
}

/** As often as it takes: the same words may be put in any number of times. */
async function putWords(
  { chat, api, pace }: Placing,
  { item, signal }: Working,
  { message, id }: { readonly message: OutMessage; readonly id: number },
): Promise<Edited | 'refused'> {
  for (let failures = 0; ; ) {
    try {
      await pace.ready(item.address, signal);
      return await api.edit(item.address, { id, text: message.text ?? '' }, signal);
    } catch (error) {
      if (!(error instanceof BotApiFault)) throw error;
      if (error.kind === 'refused') {
        chat.log.write('error', 'Telegram does not take the answer; it stays stored.', { session: item.session, error: error.message });
        return 'refused';
      }
      chat.log.write('warn', 'Telegram could not be reached with an answer; trying again.', {
        session: item.session,
        error: error.message,
      });
      if (error.kind === 'rate') pace.rest(item.address, error.retryAfterMs);
      else await wait(pauseAfter(error, failures++), undefined, { signal });
    }
  }
}

async function note(
  { chat }: Placing,
  { lease }: Working,
  { message, state }: { readonly message: OutMessage; readonly state: 'sent' | 'failed' },
): Promise<void> {
  await write({ chat, lease }, (sql) => noteOut(sql, message, state));
}
