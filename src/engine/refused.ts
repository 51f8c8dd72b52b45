// What a provider refused stays out: entries as later plans may see them, without media and reasoning that were taken out of them before.
import type { WireCodec } from '../core/codec.ts';
import type { Replacement } from '../core/plan/view.ts';
import type { EntryWorkCache } from '../core/plan/work.ts';
import { estimateMessage } from '../core/size/estimator.ts';
import type { Entry, Message } from '../core/transcript/entry.ts';
import { entriesOf } from './intake.ts';
import type { RequestState } from './request.ts';

export interface Standing {
  readonly entries: readonly Entry[];
  /** By position. */
  readonly refused: ReadonlyMap<number, Replacement>;
  /** What several plans over the same entries have in common. */
  readonly work: EntryWorkCache;
}

/** The entries of a request, less what the view in force keeps out as refused. */
export function standingEntries(codec: WireCodec, state: Pick<RequestState, 'intake' | 'view'>): Standing {
  const { heads, raws } = state.intake;
  const entries = entriesOf(codec, heads, raws);
  const refused = (state.view?.body.replacements ?? []).filter(({ kind }) => kind === 'refused');
  return withoutRefused(codec, { entries, refused: new Map(), work: new WeakMap() }, refused);
}

/** The same with more kept out. */
export function withoutRefused(codec: WireCodec, standing: Standing, replacements: readonly Replacement[]): Standing {
  if (replacements.length === 0) return standing;
  const refused = new Map([...standing.refused, ...replacements.map((replacement) => [replacement.position, replacement] as const)]);
  const entries = standing.entries.map((entry, position) => {
    const replacement = replacements.length > 0 ? refused.get(position) : undefined;
    return replacement ? replacedEntry(codec, entry, replacement) : entry;
  });
  return { entries, refused, work: standing.work };
}

function replacedEntry(codec: WireCodec, entry: Entry, { raw, tokens }: Replacement): Entry {
  const { position, fingerprint, chain, viewId } = entry;
  let message: Message | undefined;
  return {
    position,
    fingerprint,
    chain,
    viewId,
    tokens,
    get message() {
      message ??= raw === '' ? { role: entry.message.role, parts: [], raw } : codec.decodeMessage(raw);
      return message;
    },
  };
}

/** A message's new bytes as a replacement. Markers of a cache are the caller's matter. */
export function replacementOf(
  codec: WireCodec,
  changed: { readonly position: number; readonly raw: string; readonly kind: Replacement['kind'] },
): Replacement {
  const raw = codec.withoutMarkers(changed.raw);
  return { ...changed, raw, tokens: raw === '' ? 0 : estimateMessage(codec.decodeMessage(raw)) };
}
