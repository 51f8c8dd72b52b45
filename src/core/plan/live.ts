// What stays as real messages: the newest steps verbatim within the tail budget, and a small zone of pruned steps before them.
import { estimateTokens } from '../size/estimator.ts';
import type { Step } from '../transcript/steps.ts';
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
  const walk = new Walk(scope, request);
  for (let index = scope.steps.length - 1; index >= 0; index -= 1) {
    if (!walk.take(index)) break;
  }
  return walk.result();
}

/** A safe cut that the walk passed: what stays when the fold ends in front of it. */
interface Cut {
  readonly from: number;
  readonly tokens: number;
  readonly steps: number;
}

/** Walks back from the newest step; remembers the last safe cuts it passed. */
class Walk {
  private readonly scope: Scope;
  private readonly request: LiveRequest;
  private tokens = 0;
  private zoneTokens = 0;
  private isInZone = false;
  /** Edits by step, the newest step first. */
  private readonly edits: (readonly EntryEdit[])[] = [];
  private best: Cut | undefined;
  /** The last cut at which a turn begins. */
  private bestTurn: Cut | undefined;

  constructor(scope: Scope, request: LiveRequest) {
    this.scope = scope;
    this.request = request;
  }

  /** Takes one more step in front; false when the walk is over. */
  take(index: number): boolean {
    const { scope, request } = this;
    const step = scope.steps[index]!;
    const isAllowed = step.from >= request.earliest && scope.entries.length - step.from <= request.mostMessages;
    if (!isAllowed && this.best !== undefined) return false;
    let edits = this.editsOf(index);
    let tokens = runTokens(scope, step, edits);
    if (!this.isInZone && this.edits.length > 0 && this.tokens + tokens > request.tailTokens) {
      this.isInZone = true;
      edits = this.editsOf(index);
      tokens = runTokens(scope, step, edits);
    }
    if (this.isInZone && this.zoneTokens + tokens > request.zoneTokens && this.best !== undefined) return false;
    this.tokens += tokens;
    if (this.isInZone) this.zoneTokens += tokens;
    this.edits.push(edits);
    this.noteCut(step);
    return true;
  }

  private noteCut(step: Step): void {
    if (!this.scope.cuts.has(step.from)) return;
    this.best = { from: step.from, tokens: this.tokens, steps: this.edits.length };
    if (step.isGenuineUser) this.bestTurn = this.best;
  }

  /** The last cut, or the last turn when the turn that the last cut splits would fit whole by itself. */
  result(): Live | undefined {
    const { best, bestTurn, request } = this;
    if (best === undefined) return undefined;
    const isSplit = bestTurn !== undefined && bestTurn !== best && this.turnTokens(best.from) <= request.tailTokens;
    const { from, tokens, steps } = isSplit ? bestTurn : best;
    return { from, tokens, edits: this.edits.slice(0, steps).reverse().flat() };
  }

  /** Tokens of the turn that holds a position, as far as they matter. */
  private turnTokens(position: number): number {
    const { entries, asks } = this.scope;
    const next = asks.findIndex((ask) => ask > position);
    const from = asks[(next < 0 ? asks.length : next) - 1] ?? 0;
    const to = next < 0 ? entries.length : asks[next]!;
    let tokens = 0;
    for (let at = from; at < to && tokens <= this.request.tailTokens; at += 1) tokens += entries[at]!.tokens;
    return tokens;
  }

  private editsOf(index: number): readonly EntryEdit[] {
    const step = this.scope.steps[index]!;
    if (this.isInZone) return editsOf(findPrunes(this.scope, step.from, step.to), 'prune');
    return this.edits.length === 0 ? this.newestStep(step) : capStep(this.scope, step, this.request.tailTokens * RESULT_SHARE);
  }

  /** The newest step always stays; its results share what is left of the hard bound. */
  private newestStep(step: Step): readonly EntryEdit[] {
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
