// `/pin`, `/pins`, `/unpin`: words for every request. Before the first message there is no conversation yet: then they wait for it.
import { UllageError } from '../../../index.ts';
import { addWantedPin, removeWantedPin, wantedPins } from '../store/pins.ts';
import type { Answered } from '../turn/run-turn.ts';
import type { CommandRun } from './run-command.ts';

/** No text has more tokens than bytes: what is within this is never refused later, when it would stand in the way of every message. */
const MOST_WANTED_BYTES = 2_000;

export async function pin(run: CommandRun): Promise<Answered> {
  const { session, words, state } = run;
  if (words === '') return { text: 'Write what to keep behind the command: /pin Never push to main.' };
  try {
    await session.pin(words);
  } catch (error) {
    if (!UllageError.is(error) || error.code !== 'session_not_found') throw error;
    const wanted = await run.chat.db.read((sql) => wantedPins(sql, state));
    if (Buffer.byteLength([...wanted, words].join('')) > MOST_WANTED_BYTES)
      return { text: `⚠️ Before the first message pins may have ${MOST_WANTED_BYTES} bytes in all. Say something first, then pin this.` };
    return { text: PINNED, commit: (sql) => addWantedPin(sql, state, words) };
  }
  return { text: PINNED };
}

const PINNED = 'Pinned: the model gets these words with every request from now on.';

export async function listPins(run: CommandRun): Promise<Answered> {
  const pins = await allPins(run);
  if (pins.length === 0) return { text: 'There are no pins. /pin TEXT makes one.' };
  return { text: pins.map(({ text }, index) => `${index + 1}. ${text}`).join('\n') };
}

export async function unpin(run: CommandRun): Promise<Answered> {
  // Numbers have moved on if it was taken away: a second time would take away what nobody asked for.
  if (run.isResumed) return { text: 'The program ended while it took a pin away. /pins shows those there are.' };
  const pins = await allPins(run);
  const chosen = /^\d{1,4}$/.test(run.words) ? pins[Number(run.words) - 1] : undefined;
  if (chosen === undefined) return { text: 'Name the number of a pin, such as /unpin 1. /pins lists them.' };
  const text = `Taken away: ${chosen.text}`;
  if (chosen.id === undefined) return { text, commit: (sql) => removeWantedPin(sql, run.state, chosen.text) };
  await run.session.unpin(chosen.id);
  return { text };
}

async function allPins({ session, chat, state }: CommandRun): Promise<readonly { readonly id?: string; readonly text: string }[]> {
  const wanted = await chat.db.read((sql) => wantedPins(sql, state));
  return [...(await session.pins()), ...wanted.map((text) => ({ text }))];
}
