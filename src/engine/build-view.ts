// A plan → the bytes that will be sent for it. The view is complete: it names everything that differs from the stored messages.

import type { WireCodec } from '../core/codec.ts';
import type { PartEdit } from '../core/plan/edit.ts';
import type { Plan } from '../core/plan/plan.ts';
import type { Replacement, View, ViewBody } from '../core/plan/view.ts';
import { estimateMessage, estimateTokens } from '../core/size/estimator.ts';
import type { Entry } from '../core/transcript/entry.ts';
import { planRepairs } from '../core/transcript/repair.ts';
import { dropBoundThinking } from '../core/transcript/thinking.ts';
import { replacementOf } from './refused.ts';

export interface BuildView {
  readonly codec: WireCodec;
  /** Without what a provider refused before. */
  readonly entries: readonly Entry[];
  /** What stands in place of that: carried on for entries that are still sent. */
  readonly refused: ReadonlyMap<number, Replacement>;
  readonly plan: Plan;
  /** The view in force for this chain: its fold and pins stay unless the plan folds anew. */
  readonly base?: View;
  /** The newest view-changing event of the guard: what this one follows, also when that belongs to another chain. */
  readonly follows?: string;
  readonly viewId: string;
  readonly atMs: number;
  readonly summary: 'model' | 'facts';
  /** All pins of the conversation: a new fold carries them. */
  readonly pinIds: readonly string[];
}

export function buildView(input: BuildView): View {
  const { plan, entries, base } = input;
  const fold = foldOf(input);
  const first = fold ? fold.to + 1 : 0;
  const summaryAt = fold && !input.refused.has(first) && isSummaryHost(entries[first]) ? first : undefined;
  const replacements = replacementsOf(input, { from: first, summaryAt, summaryText: fold?.text });
  const hasHost = replacements.some((replacement) => replacement.position === summaryAt && replacement.raw !== '');
  const standalone = fold && !hasHost ? input.codec.encodeUserMessage(fold.text) : undefined;
  const body: ViewBody = {
    fold: fold && { ...fold, raw: standalone, tokens: summaryTokens(input.codec, { text: fold.text, raw: standalone }) },
    replacements: replacements.filter((replacement) => hasHost || replacement.position !== summaryAt || replacement.raw === ''),
    pinIds: plan.fold ? input.pinIds : (base?.body.pinIds ?? []),
  };
  const cover = Math.max(fold?.to ?? -1, ...body.replacements.map((replacement) => replacement.position));
  return {
    viewId: input.viewId,
    baseViewId: input.follows,
    kind: 'compaction',
    cover: cover < 0 ? undefined : { position: cover, chain: entries[cover]!.chain },
    watermark: { position: plan.watermark, chain: entries[plan.watermark]!.chain },
    atMs: input.atMs,
    body,
  };
}

/** The plan's fold, or the one in force when the plan only prunes. */
function foldOf(input: BuildView): Omit<NonNullable<ViewBody['fold']>, 'tokens'> | undefined {
  const { plan, base, entries } = input;
  if (!plan.fold) return base?.body.fold;
  const { to, text } = plan.fold;
  return { to, toChain: entries[to]!.chain, text, summary: input.summary };
}

/** Of the message it is, or of the text in its host, whose own estimate counts it. */
function summaryTokens(codec: WireCodec, { text, raw }: { readonly text: string; readonly raw?: string }): number {
  return raw === undefined ? estimateTokens(text) : estimateMessage(codec.decodeMessage(raw));
}

/** A user's message takes the summary as its first block, so that no two user messages stand in a row. */
function isSummaryHost(entry: Entry | undefined): boolean {
  return entry !== undefined && entry.message.role === 'user' && !entry.message.parts.some((part) => part.kind === 'result');
}

interface ReplacementScope {
  readonly from: number;
  readonly summaryAt?: number;
  readonly summaryText?: string;
}

function replacementsOf(input: BuildView, scope: ReplacementScope): readonly Replacement[] {
  const dropped = planRepairs(input.entries.slice(scope.from), { api: input.codec.api }).dropped;
  const planned = new Map(input.plan.edits.map((edit) => [edit.position, edit]));
  const positions = new Set([...planned.keys(), ...input.refused.keys(), ...(scope.summaryAt === undefined ? [] : [scope.summaryAt])]);
  return [...positions]
    .filter((position) => position >= scope.from)
    .sort((a, b) => a - b)
    .map((position) => {
      const entry = input.entries[position]!;
      const known = input.refused.get(position);
      if (known && (!planned.has(position) || known.raw === '')) return known;
      const orphans = dropped.filter((drop) => drop.position === position).map((drop) => drop.part);
      const edits: PartEdit[] = [
        ...dropBoundThinking(entry.message),
        ...orphans.map((part) => ({ kind: 'drop' as const, part })),
        ...(planned.get(position)?.edits ?? []).filter((edit) => !('part' in edit && orphans.includes(edit.part))),
      ];
      if (position === scope.summaryAt) edits.unshift({ kind: 'prepend-text', text: scope.summaryText ?? '' });
      const raw = input.codec.editMessage(entry.message.raw, edits);
      return replacementOf(input.codec, { position, raw, kind: known ? 'refused' : (planned.get(position)?.kind ?? 'summary') });
    });
}
