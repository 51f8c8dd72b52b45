// Law 3: in each view every entry is sent, or folded, or pruned, or omitted with a reason. Used by tests and by checks of a rendered view.
import type { Entry } from './entry.ts';
import type { Repairs } from './repair.ts';

export interface EntryAccount {
  readonly position: number;
  readonly state: 'sent' | 'folded' | 'pruned' | 'omitted';
  /** Why, for an omitted entry. */
  readonly reason?: string;
}

export interface AccountInput {
  readonly entries: readonly Entry[];
  /** Last folded position; undefined = no fold. */
  readonly foldTo?: number;
  /** Positions that are sent in changed bytes. */
  readonly replaced: readonly number[];
  readonly repairs: Repairs;
  /** Entries left out for another reason than a repair (thinking, media). */
  readonly omitted?: readonly { readonly position: number; readonly reason: string }[];
  /** Positions that really stand in the request, in order; given, they are compared. */
  readonly rendered?: readonly number[];
}

/** Reasons of entries that are left out whole. */
function omissions(input: AccountInput): ReadonlyMap<number, string> {
  const reasons = new Map(input.omitted?.map(({ position, reason }) => [position, reason]));
  const droppedParts = new Map<number, { count: number; reason: string }>();
  for (const { position, reason } of input.repairs.dropped) {
    const known = droppedParts.get(position);
    droppedParts.set(position, { count: (known?.count ?? 0) + 1, reason: known?.reason ?? reason });
  }
  for (const { position, message } of input.entries) {
    const dropped = droppedParts.get(position);
    if (dropped?.count === message.parts.length) reasons.set(position, reasons.get(position) ?? dropped.reason);
  }
  return reasons;
}

function fail(position: number, problem: string): never {
  throw new RangeError(`Entry ${position} ${problem}.`);
}

/** The account of every entry, in order. Throws RangeError when an entry is in two states, in none, or not the one it is rendered in. */
export function accountForEntries(input: AccountInput): readonly EntryAccount[] {
  const { entries, foldTo = -1 } = input;
  const reasons = omissions(input);
  const replaced = new Set(input.replaced);
  const known = new Set(entries.map((entry) => entry.position));
  if (known.size !== entries.length) fail(entries.length, 'is missing: positions repeat');
  for (const position of [...replaced, ...(input.omitted ?? []).map((omitted) => omitted.position)]) {
    if (!known.has(position)) fail(position, 'is not in the chain');
    if (position <= foldTo) fail(position, 'is folded and also sent or omitted');
  }
  if (replaced.size !== input.replaced.length) fail(input.replaced.length, 'is replaced twice');
  const accounts = entries.map(({ position }): EntryAccount => {
    if (position <= foldTo) return { position, state: 'folded' };
    const reason = reasons.get(position);
    if (reason !== undefined && replaced.has(position)) fail(position, `is pruned and omitted (${reason})`);
    if (reason !== undefined) return { position, state: 'omitted', reason };
    return { position, state: replaced.has(position) ? 'pruned' : 'sent' };
  });
  compareWithRendered(accounts, input.rendered);
  return accounts;
}

function compareWithRendered(accounts: readonly EntryAccount[], rendered: readonly number[] | undefined): void {
  if (rendered === undefined) return;
  const expected = accounts.filter(({ state }) => state === 'sent' || state === 'pruned').map(({ position }) => position);
  expected.forEach((position, index) => {
    if (rendered[index] !== position) fail(position, 'is not rendered in its place');
  });
  if (rendered.length !== expected.length) fail(rendered[expected.length]!, 'is rendered although it is folded or omitted, or twice');
}
