// What stays as real messages: the newest steps verbatim within the tail budget, and a small zone of pruned steps before them.
import { estimateTokens } from '../size/estimator.ts';
import type { EntryEdit, PartEdit } from './edit.ts';
import { sentTokens } from './edited.ts';
import { editsOf, findPrunes } from './prune.ts';
import type { Scope } from './scope.ts';
import { cappedText } from './stub.ts';

/** A result over this share of the tail budget is capped. */
const RESULT_SHARE = 0.5;
/** The newest step may be this much over the tail budget before its results are capped further. */
const HARD_BOUND = 1.5;
const SMALLEST_CAP_TOKENS = 64;

export interface LiveRequest {
  readonly tailTokens: number;
  readonly zoneTokens: number;
  /** Messages that may stay. */
  readonly mostMessages: number;
  /** Nothing before this position may stay. */
  readonly earliest: number;
}

export interface Live {
  /** First position that stays; everything before it is folded. */
  readonly from: number;
  readonly edits: readonly EntryEdit[];
  readonly tokens: number;
}

/** Caps of the results of one step that are over `mostTokens`. */
function capStep(scope: Scope, step: { readonly from: number; readonly to: number }, mostTokens: number): EntryEdit[] {
  const edits: EntryEdit[] = [];
  for (let position = step.from; position <= step.to; position += 1) {
    const own: PartEdit[] = [];
    scope.entries[position]!.message.parts.forEach((part, index) => {
      if (part.kind !== 'result' || part.text.length <= mostTokens || part.media.length > 0) return;
      if (estimateTokens(part.text) <= mostTokens) return;
      own.push({ kind: 'replace-text', part: index, text: cappedText(scope, { position, part: index, text: part.text }, mostTokens) });
    });
    if (own.length > 0) edits.push({ position, kind: 'squeeze', edits: own });
  }
  return edits;
}

/** Tokens of a run of entries with its edits. */
export function runTokens(scope: Scope, run: { readonly from: number; readonly to: number }, edits: readonly EntryEdit[]): number {
  const byPosition = new Map(edits.map((edit) => [edit.position, edit.edits]));
  let tokens = 0;
  for (let position = run.from; position <= run.to; position += 1) tokens += sentTokens(scope.entries[position]!, byPosition.get(position));
  return tokens;
}

/** Chooses tail and zone. undefined when no safe cut leaves anything to fold. */
export function planLive(scope: Scope, request: LiveRequest): Live | undefined {
  const { steps } = scope;
  const walk = new Walk(scope, request);
  for (let index = steps.length - 1; index >= 0; index -= 1) {
    if (!walk.take(index)) break;
  }
  return walk.result();
}

/** Walks back from the newest step; remembers the last safe cut it passed. */
class Walk {
  private readonly scope: Scope;
  private readonly request: LiveRequest;
  private tokens = 0;
  private zoneTokens = 0;
  private isInZone = false;
  private edits: EntryEdit[] = [];
  private best: Live | undefined;

  constructor(scope: Scope, request: LiveRequest) {
    this.scope = scope;
    this.request = request;
  }

  /** Takes one more step in front; false when the walk is over. */
  take(index: number): boolean {
    const { scope, request } = this;
    const step = scope.steps[index]!;
    const isNewest = index === scope.steps.length - 1;
    const messages = scope.entries.length - step.from;
    const isAllowed = step.from >= request.earliest && messages <= request.mostMessages;
    if (!isAllowed && this.best !== undefined) return false;
    let edits = this.isInZone
      ? this.prunedStep(step)
      : isNewest
        ? this.newestStep(step)
        : capStep(scope, step, request.tailTokens * RESULT_SHARE);
    let tokens = runTokens(scope, step, edits);
    if (!this.isInZone && !isNewest && this.tokens + tokens > request.tailTokens) {
      this.isInZone = true;
      edits = this.prunedStep(step);
      tokens = runTokens(scope, step, edits);
    }
    const isOver = this.isInZone && this.zoneTokens + tokens > request.zoneTokens;
    if (isOver && this.best !== undefined) return false;
    this.tokens += tokens;
    if (this.isInZone) this.zoneTokens += tokens;
    this.edits = [...edits, ...this.edits];
    if (scope.cuts.has(step.from)) this.best = { from: step.from, edits: this.edits, tokens: this.tokens };
    return true;
  }

  result(): Live | undefined {
    return this.best;
  }

  private prunedStep(step: { readonly from: number; readonly to: number }): EntryEdit[] {
    return [...editsOf(findPrunes(this.scope, step.from, step.to), 'prune')];
  }

  /** The newest step always stays; its results share what is left of the hard bound. */
  private newestStep(step: { readonly from: number; readonly to: number }): EntryEdit[] {
    const bound = this.request.tailTokens * HARD_BOUND;
    let cap = Math.floor(this.request.tailTokens * RESULT_SHARE);
    let edits = capStep(this.scope, step, cap);
    while (cap > SMALLEST_CAP_TOKENS && runTokens(this.scope, step, edits) > bound) {
      cap = Math.floor(cap / 2);
      edits = capStep(this.scope, step, cap);
    }
    return edits;
  }
}
