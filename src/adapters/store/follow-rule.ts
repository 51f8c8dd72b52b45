// What of a request simply goes on from the tip it was found at: one pure rule for every store.
import type { FollowRequest, Located, NewEntry } from '../../ports/store.ts';
import { assertStorableEntries } from './entry-check.ts';

/** The time of a session's newest request is written when it is this much later than the one written before. */
export const REQUEST_TIME_PRECISION_MS = 60_000;
/** New text that one transaction writes; more would hold the lock, and the event loop, too long. */
export const TRANSACTION_BYTES = 1_000_000;

export function sizeOf(entries: readonly { readonly raw: string }[]): number {
  return entries.reduce((sum, { raw }) => sum + Buffer.byteLength(raw), 0);
}

/** What is appended; undefined = nothing is new, or more is to be decided. Throws transcript_invalid for entries that cannot be stored. */
export function newestOf({ entries, chain, api }: FollowRequest, located: Located): readonly [NewEntry, ...NewEntry[]] | undefined {
  const { conversation, deepest, isBranch } = located;
  if (conversation === undefined || deepest === undefined || isBranch || conversation.api !== api) return undefined;
  if (conversation.tip?.chain !== chain[deepest] || conversation.tip?.position !== deepest) return undefined;
  const [first, ...rest] = entries.filter(({ position }) => position > deepest);
  if (first?.position !== deepest + 1 || first.chain !== chain[deepest + 1]) return undefined;
  const appended = [first, ...rest] as const;
  assertStorableEntries(appended);
  if (sizeOf(appended) > TRANSACTION_BYTES) return undefined;
  const answered = appended.findIndex(({ role }) => role !== 'assistant');
  const viewId = conversation.tipViewId;
  const isAnswer = (index: number) => answered < 0 || index < answered;
  return appended.map((entry, index) => (isAnswer(index) ? { ...entry, viewId } : entry)) as [NewEntry, ...NewEntry[]];
}
