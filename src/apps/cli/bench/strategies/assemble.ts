// Kept messages with their edits → JSON texts that the API accepts: the same repairs for every strategy.
import type { WireCodec } from '../../../../core/codec.ts';
import type { PartEdit } from '../../../../core/plan/edit.ts';
import type { Entry } from '../../../../core/transcript/entry.ts';
import { planRepairs, resultContents } from '../../../../core/transcript/repair.ts';
import { dropBoundThinking } from '../../../../core/transcript/thinking.ts';

export interface Assembly {
  readonly codec: WireCodec;
  /** What stays, in order. */
  readonly kept: readonly Entry[];
  /** By position. */
  readonly edits: ReadonlyMap<number, readonly PartEdit[]>;
  /** Stands before everything that stays. */
  readonly summary?: string;
}

/**
 * Reasoning that is bound to the bytes before it is dropped, since those have changed; calls and results without their partner are
 * repaired; a summary becomes the first block of a user's message behind it, or a message of its own.
 */
export function assemble({ codec, kept, edits, summary }: Assembly): readonly string[] {
  const repairs = planRepairs(kept, { api: codec.api });
  const added = new Map(repairs.results.map((results) => [results.afterPosition, results]));
  const isHosted = summary !== undefined && isHost(kept[0]);
  const messages = summary === undefined || isHosted ? [] : [codec.encodeUserMessage(summary)];
  kept.forEach((entry, index) => {
    const orphans = repairs.dropped.filter(({ position }) => position === entry.position).map(({ part }) => part);
    const own: PartEdit[] = [
      ...(isHosted && index === 0 ? [{ kind: 'prepend-text' as const, text: summary }] : []),
      ...dropBoundThinking(entry.message),
      ...orphans.map((part) => ({ kind: 'drop' as const, part })),
      ...(edits.get(entry.position) ?? []).filter((edit) => !('part' in edit && orphans.includes(edit.part))),
    ];
    const raw = own.length === 0 ? entry.message.raw : codec.editMessage(entry.message.raw, own);
    if (raw !== '') messages.push(raw);
    const results = added.get(entry.position);
    if (results !== undefined) messages.push(...codec.encodeResults(resultContents(results)));
  });
  return messages;
}

function isHost(entry: Entry | undefined): boolean {
  return entry?.message.role === 'user' && !entry.message.parts.some((part) => part.kind === 'result');
}
