// Takes a place for a message: an empty one is sent first, and its id recorded, before any word of an answer is put into it. Words are only
// ever put in by editing, which can be repeated; so no crash shows an answer twice. What can be left behind by one is an empty message.
import { setTimeout as wait } from 'node:timers/promises';
import type { Work } from '../channel.ts';
import type { Chat } from '../chat.ts';
import { itemsSince } from '../store/inbox.ts';
import { knownMessageIds, newestMessageId, noteOut, notePlaced, notePlacing } from '../store/outbox.ts';
import type { Item, OutMessage } from '../store/rows.ts';
import { write, writeDurably } from '../turn/turn-run.ts';
import { type BotApi, BotApiFault } from './bot-api.ts';
import type { Pace } from './pace.ts';

/** What stands in a message until its words come. */
export const EMPTY_MESSAGE = '…';

export interface Placing {
  readonly chat: Chat;
  readonly api: BotApi;
  readonly pace: Pace;
}

type Working = Pick<Work, 'item' | 'lease' | 'signal'>;

/** The id of the message, old or new; undefined when the platform takes none for ever. */
export async function place(placing: Placing, work: Working, message: OutMessage): Promise<number | undefined> {
  let isInDoubt = message.state === 'placing';
  let { afterId = 0 } = message;
  for (let failures = 0; ; ) {
    try {
      const adopted = isInDoubt ? await findEmpty(placing, work, afterId) : undefined;
      isInDoubt = false;
      afterId = await newestKnown(placing, work);
      const id = adopted ?? (await sendEmpty(placing, work, { message, afterId }));
      await write({ chat: placing.chat, lease: work.lease }, (sql) => notePlaced(sql, message, id));
      return id;
    } catch (error) {
      if (!(error instanceof BotApiFault)) throw error;
      if (error.kind === 'refused') return giveUp(placing, work, { message, error });
      isInDoubt ||= error.kind === 'network';
      await wait(pauseAfter(error, failures++), undefined, { signal: work.signal });
    }
  }
}

async function sendEmpty(
  { chat, api, pace }: Placing,
  { item, lease, signal }: Working,
  { message, afterId }: { readonly message: OutMessage; readonly afterId: number },
): Promise<number> {
  await writeDurably({ chat, lease }, (sql) => notePlacing(sql, message, { count: countOf(item), afterId }));
  await pace.ready(item.address, signal);
  return api.send(item.address, EMPTY_MESSAGE, signal);
}

/** Ids that are tried, of those that nothing is known of: what others send at the same time has ids in between. */
const TRIED_IDS = 24;

/**
 * The empty message that a process may have left behind: an edit that changes nothing finds it, and finds nobody else's. Where several sessions
 * share a chat it could be another's; there a new one is sent.
 */
async function findEmpty(placing: Placing, { item, signal }: Working, afterId: number): Promise<number | undefined> {
  const { api, pace } = placing;
  const { address } = item;
  if (address.isShared === true) return undefined;
  const known = await knownIds(placing, item, afterId);
  for (let id = afterId + 1, tried = 0; tried < TRIED_IDS; id++) {
    if (known.has(id)) continue;
    tried++;
    await pace.ready(address, signal);
    if ((await api.edit(address, { id, text: EMPTY_MESSAGE }, signal)) !== 'gone') return id;
  }
  return undefined;
}

/** What came in, and what went out. */
function knownIds({ chat }: Placing, item: Item, above: number): Promise<ReadonlySet<number>> {
  const count = countOf(item);
  return chat.db.read((sql) => {
    const came = itemsSince(sql, item).flatMap((other) => (countOf(other) === count ? [Number(other.address.messageId)] : []));
    return new Set([...came, ...knownMessageIds(sql, { count, above })]);
  });
}

async function newestKnown({ chat }: Placing, { item }: Working): Promise<number> {
  const newest = await chat.db.read((sql) => newestMessageId(sql, countOf(item)));
  return Math.max(Number(item.address.messageId), newest);
}

/** Chat ids below this are supergroups, which count their messages by themselves; all other chats of a bot share one count. */
const FIRST_SUPERGROUP = -1_000_000_000_000;

/** Names the count that the ids of a chat's messages come from. */
const countOf = ({ source, address }: Pick<Item, 'source' | 'address'>): string =>
  Number(address.chat) <= FIRST_SUPERGROUP ? `${source}:${address.chat}` : source;

async function giveUp(
  { chat }: Placing,
  { item, lease }: Working,
  { message, error }: { readonly message: OutMessage; readonly error: BotApiFault },
): Promise<undefined> {
  chat.log.write('error', 'Telegram does not take the answer; it stays stored.', { session: item.session, error: error.message });
  await write({ chat, lease }, (sql) => noteOut(sql, message, 'failed'));
  return undefined;
}

const LONGEST_PAUSE_MS = 30_000;

/** Also for edits. */
export function pauseAfter(error: BotApiFault, failures: number): number {
  return error.kind === 'rate' ? error.retryAfterMs : Math.min(LONGEST_PAUSE_MS, 500 * 2 ** Math.min(failures, 8));
}
