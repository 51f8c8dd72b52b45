// What can be pruned in place, and the choice of prunes that reaches a budget without pruning more than it asks.
import { estimateTokens } from '../size/estimator.ts';
import { type Entry, entryHandle, type Part } from '../transcript/entry.ts';
import type { EntryEdit, PartEdit } from './edit.ts';
import { sentTokens } from './edited.ts';
import { placeKey } from './pairing.ts';
import type { Scope } from './scope.ts';
import { cappedText, mediaStub, resultStub, shortenArguments } from './stub.ts';

/** A saving below this is not worth another text. */
const SMALLEST_SAVING_TOKENS = 60;

/** One possible prune of one part. */
export interface Prune {
  readonly position: number;
  readonly edit: PartEdit;
  readonly savedTokens: number;
  /** True when nothing that is still needed is lost: a repeat, old media, stale thinking. */
  readonly isFree: boolean;
}

/** Every prune of the entries from … to, in order. */
export function findPrunes(scope: Scope, from: number, to: number): readonly Prune[] {
  const prunes: Prune[] = [];
  for (let position = from; position <= to; position += 1) {
    const entry = scope.entries[position]!;
    entry.message.parts.forEach((part, index) => {
      const prune = pruneOf(scope, entry, index);
      if (prune !== undefined && part.kind !== 'opaque') prunes.push(prune);
    });
  }
  return prunes;
}

function pruneOf(scope: Scope, entry: Entry, index: number): Prune | undefined {
  const part = entry.message.parts[index]!;
  const handle = scope.canOpenHandles ? entryHandle(entry.chain, index) : undefined;
  const made = editOf(scope, { entry, part, index, handle });
  if (made === undefined) return undefined;
  const savedTokens = partTokens(entry, part) - made.tokens;
  return savedTokens < SMALLEST_SAVING_TOKENS ? undefined : { position: entry.position, edit: made.edit, savedTokens, isFree: made.isFree };
}

interface Subject {
  readonly entry: Entry;
  readonly part: Part;
  readonly index: number;
  readonly handle: string | undefined;
}

function editOf(scope: Scope, subject: Subject): { edit: PartEdit; tokens: number; isFree: boolean } | undefined {
  const { part, index, handle, entry } = subject;
  if (part.kind === 'call') {
    const argumentsText = shortenArguments(part.argumentsText, handle);
    if (argumentsText === undefined) return undefined;
    return { edit: { kind: 'replace-arguments', part: index, argumentsText }, tokens: estimateTokens(argumentsText), isFree: false };
  }
  if (part.kind === 'media') {
    const text = mediaStub(part, handle);
    return { edit: { kind: 'replace-media', part: index, text }, tokens: estimateTokens(text), isFree: true };
  }
  if (part.kind === 'thinking') {
    const isStale = !part.isBound && part.opaqueChars === 0 && entry.message.parts.some(({ kind }) => kind !== 'thinking');
    return isStale ? { edit: { kind: 'drop', part: index }, tokens: 0, isFree: true } : undefined;
  }
  if (part.kind !== 'result') return undefined;
  const key = placeKey(entry.position, index);
  const repeat = scope.repeats.get(key);
  const call = scope.pairing.callOf.get(key)?.call;
  const text = resultStub({ result: part, call, table: scope.bench.of(entry).sources[index]?.table, handle, repeat });
  return { edit: { kind: 'replace-text', part: index, text }, tokens: estimateTokens(text), isFree: repeat !== undefined };
}

function partTokens(entry: Entry, part: Part): number {
  if (part.kind === 'call') return estimateTokens(part.argumentsText);
  if (part.kind === 'result' && part.media.length === 0) return estimateTokens(part.text);
  if (part.kind === 'thinking' && !part.isBound) return estimateTokens(part.text);
  if (part.kind !== 'media' && part.kind !== 'result') return 0;
  return (
    entry.tokens - sentTokens({ ...entry, message: { ...entry.message, parts: entry.message.parts.filter((other) => other !== part) } })
  );
}

/** Prunes as edits by entry, in position order. */
export function editsOf(prunes: readonly Prune[], kind: EntryEdit['kind']): readonly EntryEdit[] {
  const byPosition = new Map<number, PartEdit[]>();
  for (const { position, edit } of prunes) {
    const edits = byPosition.get(position);
    if (edits === undefined) byPosition.set(position, [edit]);
    else edits.push(edit);
  }
  return [...byPosition].sort(([a], [b]) => a - b).map(([position, edits]) => ({ position, kind, edits }));
}

/** The fewest and oldest prunes that save at least `neededTokens`; undefined when all of them do not. */
export function choosePrunes(prunes: readonly Prune[], neededTokens: number): readonly Prune[] | undefined {
  const last = prunes.at(-1)?.position ?? 0;
  const rank = ({ savedTokens, position }: Prune): number => savedTokens * (1.5 - position / (last + 1));
  const ordered = prunes
    .map((prune, index) => ({ prune, index, rank: rank(prune) }))
    .sort((a, b) => Number(b.prune.isFree) - Number(a.prune.isFree) || b.rank - a.rank || a.index - b.index);
  const chosen: Prune[] = [];
  let saved = 0;
  for (const { prune } of ordered) {
    if (saved >= neededTokens) break;
    chosen.push(prune);
    saved += prune.savedTokens;
  }
  if (saved < neededTokens) return undefined;
  const kept = chosen.reverse().filter((prune) => {
    if (saved - prune.savedTokens < neededTokens) return true;
    saved -= prune.savedTokens;
    return false;
  });
  return kept.sort((a, b) => a.position - b.position);
}

/** Below this a longer text in place of a stub says nothing more. */
const SMALLEST_LEFTOVER_TOKENS = 80;

/** Gives what the choice saves beyond `neededTokens` to the newest pruned result: head and tail of it instead of a stub. */
export function useLeftover(scope: Scope, chosen: readonly Prune[], neededTokens: number): readonly Prune[] {
  const leftover = chosen.reduce((sum, { savedTokens }) => sum + savedTokens, 0) - neededTokens;
  const index = chosen.findLastIndex(({ edit, isFree }) => edit.kind === 'replace-text' && !isFree);
  const prune = chosen[index];
  if (leftover < SMALLEST_LEFTOVER_TOKENS || prune === undefined || prune.edit.kind !== 'replace-text') return chosen;
  const { position, edit, savedTokens } = prune;
  const part = scope.entries[position]!.message.parts[edit.part];
  if (part?.kind !== 'result' || part.media.length > 0) return chosen;
  const text = cappedText(scope, { position, part: edit.part, text: part.text }, estimateTokens(edit.text) + leftover);
  const added = estimateTokens(text) - estimateTokens(edit.text);
  if (added <= 0 || added >= savedTokens) return chosen;
  return chosen.with(index, { ...prune, edit: { ...edit, text }, savedTokens: savedTokens - added });
}
