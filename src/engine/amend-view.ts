// A view that sends the same as the one before, less single parts of messages: for what a provider refused.
import type { WireCodec } from '../core/codec.ts';
import type { EntryEdit } from '../core/plan/edit.ts';
import type { SentMessage } from '../core/plan/media-edits.ts';
import { EMPTY_VIEW_BODY, type Replacement, type View } from '../core/plan/view.ts';
import type { Entry } from '../core/transcript/entry.ts';
import { planRepairs } from '../core/transcript/repair.ts';
import { dropBoundThinking } from '../core/transcript/thinking.ts';
import { replacementOf } from './refused.ts';

export interface Amend {
  readonly codec: WireCodec;
  readonly entries: readonly Entry[];
  /** The view in force. */
  readonly base?: View;
  /** Parts as in {@link sentMessages}. */
  readonly edits: readonly EntryEdit[];
  readonly kind: 'compaction' | 'amendment';
  readonly viewId: string;
  /** The newest view-changing event of the guard. */
  readonly follows?: string;
  readonly atMs: number;
  /** Positions whose bytes change although no edit names them. */
  readonly touched?: readonly number[];
}

/** The messages behind the fold, as the view in force sends them. */
export function sentMessages(codec: WireCodec, entries: readonly Entry[], base: View | undefined): readonly SentMessage[] {
  const replaced = new Map(base?.body.replacements.map((replacement) => [replacement.position, replacement]));
  return entries.slice(liveFrom(base)).flatMap(({ position, chain, message }): SentMessage[] => {
    const replacement = replaced.get(position);
    if (replacement === undefined) return [{ position, chain, message }];
    return replacement.raw === '' ? [] : [{ position, chain, message: codec.decodeMessage(replacement.raw) }];
  });
}

function liveFrom(base: View | undefined): number {
  return (base?.body.fold?.to ?? -1) + 1;
}

export function amendView(input: Amend): View {
  const { base, entries, kind, viewId, atMs } = input;
  const changed = replacementsOf(input);
  const kept = (base?.body.replacements ?? []).filter(({ position }) => !changed.has(position));
  const replacements = [...kept, ...changed.values()].sort((a, b) => a.position - b.position);
  const { fold, pinIds } = base?.body ?? EMPTY_VIEW_BODY;
  const positions = [...(input.touched ?? []), ...changed.keys()];
  const cover = positions.reduce((most, position) => Math.max(most, position), base?.cover?.position ?? -1);
  const watermark = entries.length - 1;
  return {
    viewId,
    baseViewId: input.follows,
    kind,
    cover: cover < 0 ? undefined : { position: cover, chain: entries[cover]!.chain },
    watermark: { position: watermark, chain: entries[watermark]!.chain },
    atMs,
    body: { fold, replacements, pinIds, ...(kind === 'amendment' ? { restores: shownBy(base) } : {}) },
  };
}

/** The compaction whose work is in force. */
function shownBy(base: View | undefined): string {
  if (base === undefined) return '';
  return base.kind === 'compaction' ? base.viewId : (base.body.restores ?? '');
}

function replacementsOf({ codec, entries, base, edits }: Amend): Map<number, Replacement> {
  const before = new Map(base?.body.replacements.map((replacement) => [replacement.position, replacement]));
  const { dropped } = planRepairs(entries.slice(liveFrom(base)), { api: codec.api });
  return new Map(
    edits.map(({ position, edits: own }) => {
      const known = before.get(position);
      if (known) {
        const kind = known.kind === 'summary' ? 'summary' : 'refused';
        return [position, replacementOf(codec, { position, raw: codec.editMessage(known.raw, own), kind })];
      }
      const { message } = entries[position]!;
      const orphans = dropped.flatMap((drop) => (drop.position === position ? [{ kind: 'drop' as const, part: drop.part }] : []));
      const gone = [...orphans, ...dropBoundThinking(message)];
      const rest = own.filter((edit) => !('part' in edit && gone.some((drop) => 'part' in drop && drop.part === edit.part)));
      return [position, replacementOf(codec, { position, raw: codec.editMessage(message.raw, [...gone, ...rest]), kind: 'refused' })];
    }),
  );
}
