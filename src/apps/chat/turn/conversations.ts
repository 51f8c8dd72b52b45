// Conversations at hand: the library's session, and the closed turns as they are sent. Closed turns stay as they are, so that a turn reads only those
// that were closed since the last one, and the library sees a request whose beginning it knows. It saves work; it decides nothing.
import type { Session } from '../../../index.ts';
import type { Chat } from '../chat.ts';
import { encodeMessages } from '../model/wire-history.ts';
import { type SessionState, sessionKeyOf } from '../store/rows.ts';
import { type ClosedTurn, closedTurns, stepsOf } from '../store/turns.ts';

interface Conversation {
  /** The library's name of its session. */
  readonly name: string;
  readonly session: Session;
  history?: History;
}

interface History {
  readonly epoch: number;
  /** Members of the list of messages in the profile's API, JSON texts parted by commas. */
  readonly text: string;
  /** The newest turn in it. */
  readonly newestItem: number;
}

/** Of all histories together, characters. Another beginning is read from the disk. */
const MOST_KEPT_CHARS = 32_000_000;
const MOST_KEPT = 500;

export class Conversations {
  readonly #chat: Pick<Chat, 'ullage' | 'db' | 'profile' | 'door'>;
  /** By the chat's own key, the longest unused first. */
  readonly #kept = new Map<string, Conversation>();
  readonly #mostChars: number;

  constructor(chat: Pick<Chat, 'ullage' | 'db' | 'profile' | 'door'>, mostChars = MOST_KEPT_CHARS) {
    this.#chat = chat;
    this.#mostChars = mostChars;
  }

  async session(state: SessionState): Promise<Session> {
    return (await this.#open(state)).session;
  }

  /** Turns of another API (the profile was changed) are encoded anew. */
  async history(state: SessionState): Promise<string> {
    const conversation = await this.#open(state);
    const known = conversation.history?.epoch === state.epoch ? conversation.history : { epoch: state.epoch, text: '', newestItem: 0 };
    const turns = await this.#chat.db.read((sql) => closedTurns(sql, state, known.newestItem));
    const wires = known.text === '' ? [] : [known.text];
    for (const turn of turns) wires.push(await this.#wireOf(turn, state.epoch));
    const text = wires.join(',');
    conversation.history = { ...known, text, newestItem: turns.at(-1)?.itemId ?? known.newestItem };
    this.#forget();
    return text;
  }

  async #open(state: SessionState): Promise<Conversation> {
    const name = sessionKeyOf(state);
    const found = this.#kept.get(state.key);
    const conversation = found?.name === name ? found : { name, session: await this.#chat.ullage.session(name) };
    this.#kept.delete(state.key);
    this.#kept.set(state.key, conversation);
    return conversation;
  }

  async #wireOf({ itemId, wire, api }: ClosedTurn, epoch: number): Promise<string> {
    const { db, profile, door } = this.#chat;
    return api === profile.api ? wire : encodeMessages(door, await db.read((sql) => stepsOf(sql, itemId, epoch)));
  }

  /** The longest unused go first; the one at hand stays. */
  #forget(): void {
    let chars = 0;
    for (const { history } of this.#kept.values()) chars += history?.text.length ?? 0;
    for (const [key, { history }] of this.#kept) {
      if ((chars <= this.#mostChars && this.#kept.size <= MOST_KEPT) || this.#kept.size === 1) return;
      this.#kept.delete(key);
      chars -= history?.text.length ?? 0;
    }
  }
}
