// A session key that holds no conversation yet.
import type { Store } from '../../../ports/store.ts';

/** `wanted`, or `wanted#2` and so on: a history that is stored already would be found there and not be played anew. */
export async function freeKey(store: Store, wanted: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const key = number === 1 ? wanted : `${wanted}#${number}`;
    const existing = await store.findSession({ tenant: 'local', key });
    if (existing?.currentConversationId === undefined) return key;
  }
}
