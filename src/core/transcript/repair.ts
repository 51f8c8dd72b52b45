// What must be left out of a request, and what added, so that every call has exactly one result in its place. Decides only; the store
// keeps everything as it came. Positions are those of the entries.
import type { Api, Entry, ResultPart } from './entry.ts';
import { type CallRef, type Matches, matchCalls } from './match.ts';
import { isSubstance } from './thinking.ts';

/** Text of the result that is sent for a call that never got one. */
export const NO_RESULT_TEXT = 'No result was recorded for this call.';

/** Results to put directly behind one entry, in the order of the calls. */
export interface AddedResults {
  readonly afterPosition: number;
  /** Every call of the entry's answer that lacks a result in its place. */
  readonly callIds: readonly string[];
  /** Those of them whose result stands elsewhere: sent here instead. The others get {@link NO_RESULT_TEXT}. */
  readonly moved: readonly ResultPart[];
  /** Format's own types of the calls that have one, by id: their result must be of a matching type. */
  readonly wireTypes?: ReadonlyMap<string, string>;
}

/** late_result: the model was asked again before it came. moved_result: sent behind its call instead. */
export type DropReason =
  | 'orphan_result'
  | 'duplicate_result'
  | 'late_result'
  | 'moved_result'
  | 'duplicate_call'
  | 'nameless_call'
  | 'reasoning_only';

export interface DroppedPart {
  readonly position: number;
  readonly part: number;
  readonly reason: DropReason;
}

export interface Repairs {
  /** In position order. */
  readonly results: readonly AddedResults[];
  /** In order of position and part. */
  readonly dropped: readonly DroppedPart[];
}

/** Content for a codec's `encodeResults`. */
export interface ResultContent {
  readonly callId: string;
  readonly text: string;
  readonly isError: boolean;
  /** `CallPart.wireType` of the call. */
  readonly wireType?: string;
}

/** The results that stand behind one entry, ready to be encoded. */
export function resultContents(added: AddedResults): readonly ResultContent[] {
  const moved = new Map(added.moved.map((part) => [part.callId.trim(), part]));
  return added.callIds.map((callId) => {
    const part = moved.get(callId);
    const wireType = added.wireTypes?.get(callId);
    const typed = wireType === undefined ? {} : { wireType };
    if (part === undefined) return { callId, text: NO_RESULT_TEXT, isError: true, ...typed };
    return {
      callId,
      ...typed,
      text: part.text.trim() === '' && part.media.length > 0 ? '[media omitted]' : part.text,
      isError: part.isError ?? false,
    };
  });
}

/** The last entry of the answer that an assistant entry belongs to. In Chat Completions every message is an answer of its own. */
function answerEnds(entries: readonly Entry[], api: Api): Int32Array {
  const ends = new Int32Array(entries.length);
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const goesOn = api !== 'openai-chat' && entries[index + 1]?.message.role === 'assistant';
    ends[index] = goesOn ? ends[index + 1]! : index;
  }
  return ends;
}

/** Index of the first entry behind an answer at which its results can no longer stand. */
function endOfPlace(entries: readonly Entry[], answerEnd: number, api: Api): number {
  if (api === 'openai-responses') return entries.length;
  for (let index = answerEnd + 1; index < entries.length; index += 1) {
    const { role, parts } = entries[index]!.message;
    if (role === 'assistant' || role === 'system' || !parts.some((part) => part.kind === 'result')) return index;
    if (parts.some((part) => part.kind !== 'result' && isSubstance(part))) return index + 1;
  }
  return entries.length;
}

interface Addition {
  readonly callIds: string[];
  readonly moved: ResultPart[];
  readonly wireTypes: Map<string, string>;
}

const newAddition = (): Addition => ({ callIds: [], moved: [], wireTypes: new Map() });

class RepairPlan {
  readonly dropped = new Map<number, Map<number, DropReason>>();
  readonly added = new Map<number, Addition>();
  private readonly entries: readonly Entry[];

  constructor(entries: readonly Entry[]) {
    this.entries = entries;
  }

  drop(entry: number, part: number, reason: DropReason): void {
    const parts = this.dropped.get(entry);
    if (parts === undefined) this.dropped.set(entry, new Map([[part, reason]]));
    else parts.set(part, reason);
  }

  /** Places the call's result behind the answer: its own one when it stands elsewhere, else a made one. */
  add(call: CallRef, answerEnd: number): void {
    const addition = this.added.get(answerEnd) ?? newAddition();
    this.added.set(answerEnd, addition);
    addition.callIds.push(call.id);
    const part = this.entries[call.entry]!.message.parts[call.part];
    if (part?.kind === 'call' && part.wireType !== undefined) addition.wireTypes.set(call.id, part.wireType);
    if (call.answer === undefined) return;
    addition.moved.push(this.entries[call.answer.entry]!.message.parts[call.answer.part] as ResultPart);
    this.drop(call.answer.entry, call.answer.part, 'moved_result');
  }

  /** Entries of which only reasoning or blank text would be left go as a whole. */
  dropRests(): void {
    for (const [index, reasons] of this.dropped) {
      const { parts, role } = this.entries[index]!.message;
      if (parts.some((part, at) => !reasons.has(at) && isSubstance(part))) continue;
      const reason = role === 'assistant' ? 'reasoning_only' : [...reasons.values()][0]!;
      parts.forEach((_, at) => {
        if (!reasons.has(at)) reasons.set(at, reason);
      });
    }
  }

  /** A run of items that would end in reasoning because what followed it went: the Responses format wants the item after it. */
  dropDanglingReasoning(): void {
    for (const index of [...this.dropped.keys()]) {
      if (this.entries[index + 1]?.message.role === 'assistant') continue;
      for (let at = index; at >= 0 && this.entries[at]!.message.role === 'assistant'; at -= 1) {
        const { parts } = this.entries[at]!.message;
        const reasons = this.dropped.get(at);
        if (reasons !== undefined && reasons.size === parts.length) continue;
        if (parts.some(isSubstance)) break;
        parts.forEach((_, part) => {
          this.drop(at, part, 'reasoning_only');
        });
      }
    }
  }

  finish(): Repairs {
    const position = (index: number): number => this.entries[index]!.position;
    const ascending = <T>(map: ReadonlyMap<number, T>) => [...map].sort(([a], [b]) => a - b);
    return {
      results: ascending(this.added).map(([index, { wireTypes, ...addition }]) => ({
        afterPosition: position(index),
        ...addition,
        ...(wireTypes.size > 0 ? { wireTypes } : {}),
      })),
      dropped: ascending(this.dropped).flatMap(([index, reasons]) =>
        ascending(reasons).map(([part, reason]) => ({ position: position(index), part, reason })),
      ),
    };
  }
}

const RESULT_REASONS = { duplicate: 'duplicate_result', orphan: 'orphan_result', late: 'late_result' } as const;

function dropUnmatched(plan: RepairPlan, matches: Matches): void {
  for (const { entry, part, status } of matches.results) {
    if (status !== 'answer') plan.drop(entry, part, RESULT_REASONS[status]);
  }
  for (const { entry, part, status } of matches.calls) {
    if (status !== 'ok') plan.drop(entry, part, status === 'duplicate' ? 'duplicate_call' : 'nameless_call');
  }
}

/**
 * Repairs of the entries (all, or the live ones from a safe cut on). Calls of the last answer stay open while nothing follows it. What
 * is decided is final once an assistant message follows something that is more than results: until then a result can still come.
 * Without `api` the rules of Anthropic Messages hold, where consecutive messages of a role are one.
 */
export function planRepairs(entries: readonly Entry[], options: { readonly api?: Api } = {}): Repairs {
  const api = options.api ?? 'anthropic';
  const matches = matchCalls(entries);
  const plan = new RepairPlan(entries);
  dropUnmatched(plan, matches);
  const ends = answerEnds(entries, api);
  let place = { answerEnd: -1, end: 0 };
  for (const call of matches.calls) {
    if (call.status !== 'ok') continue;
    const answerEnd = ends[call.entry]!;
    if (answerEnd === entries.length - 1) continue;
    if (place.answerEnd !== answerEnd) place = { answerEnd, end: endOfPlace(entries, answerEnd, api) };
    if (call.answer === undefined || call.answer.entry >= place.end) plan.add(call, answerEnd);
  }
  plan.dropRests();
  if (api === 'openai-responses') plan.dropDanglingReasoning();
  return plan.finish();
}
