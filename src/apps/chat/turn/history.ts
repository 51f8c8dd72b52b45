// The closed turns of a conversation as they are sent. Turns of another API (the profile was changed) are encoded anew.
import type { Chat } from '../chat.ts';
import { encodeMessages } from '../model/wire-history.ts';
import type { SessionState } from '../store/rows.ts';
import { closedTurns, stepsOf } from '../store/turns.ts';

/** Members of the list of messages in the profile's API, JSON texts parted by commas. */
export async function historyOf({ db, profile, door }: Pick<Chat, 'db' | 'profile' | 'door'>, state: SessionState): Promise<string> {
  const turns = await db.read((sql) => closedTurns(sql, state));
  const wires: string[] = [];
  for (const { itemId, wire, api } of turns) {
    if (api === profile.api) wires.push(wire);
    else wires.push(await encodeMessages(door, await db.read((sql) => stepsOf(sql, itemId, state.epoch))));
  }
  return wires.join(',');
}
