// Cuts a transcript into steps (never split) and turns, and says where a kept part may begin. Linear.
import type { Entry } from './entry.ts';
import { isGenuineUser } from './genuine.ts';
import { type Matches, matchCalls } from './match.ts';

export { isGenuineUser } from './genuine.ts';

/** A run of entries that is kept, folded or moved as one. `from` and `to` are indices into the given entries, both inclusive. */
export interface Step {
  readonly from: number;
  readonly to: number;
  /** assistant: calls with all their results, or an answer. other: results of nothing, system messages. */
  readonly kind: 'user' | 'assistant' | 'other';
  /** True when a person says something in it. */
  readonly isGenuineUser: boolean;
  /** True for the last step when a call of it has no result yet. */
  readonly isOpen: boolean;
  readonly callIds: readonly string[];
}

/** A genuine user message and everything up to the next one. The first turn may begin without a genuine message. */
export interface Turn {
  /** Indices into the given entries, both inclusive. */
  readonly from: number;
  readonly to: number;
  readonly hasGenuineUser: boolean;
  readonly steps: readonly Step[];
}

const hasText = (entry: Entry): boolean => entry.message.parts.some((part) => part.kind === 'text' && part.text.trim() !== '');
const isPlainText = (entry: Entry): boolean => entry.message.parts.every((part) => part.kind === 'text');

/** Only results, or what else a tool sends back: it belongs to the calls in front of it. */
function isReply(entry: Entry): boolean {
  const { role, parts } = entry.message;
  if (role === 'tool') return true;
  return role === 'user' && parts.length > 0 && parts.every((part) => part.kind === 'result');
}

/** For each entry with calls, the index of the last entry that answers one of them. */
function lastAnswers(matches: Matches): ReadonlyMap<number, number> {
  const reach = new Map<number, number>();
  for (const { entry, answer } of matches.calls) {
    if (answer !== undefined) reach.set(entry, Math.max(reach.get(entry) ?? 0, answer.entry));
  }
  return reach;
}

function endOfAssistantStep(entries: readonly Entry[], from: number, reach: ReadonlyMap<number, number>): number {
  let end = from;
  let isPlainRun = true;
  for (let index = from; index <= end; index += 1) {
    const entry = entries[index]!;
    isPlainRun &&= entry.message.role === 'assistant' && isPlainText(entry);
    end = Math.max(end, reach.get(index) ?? index);
    const next = entries[end + 1];
    if (index < end || next === undefined) continue;
    const isSameAnswer = entry.message.role === 'assistant' && next.message.role === 'assistant' && !(isPlainRun && hasText(next));
    if (isSameAnswer || isReply(next)) end += 1;
  }
  return end;
}

function callIdsByEntry(matches: Matches): ReadonlyMap<number, readonly string[]> {
  const ids = new Map<number, string[]>();
  for (const call of matches.calls) {
    const known = ids.get(call.entry);
    if (known === undefined) ids.set(call.entry, [call.id]);
    else known.push(call.id);
  }
  return ids;
}

function kindOf(entry: Entry): Step['kind'] {
  if (entry.message.role === 'assistant') return 'assistant';
  return entry.message.role === 'user' && !isReply(entry) ? 'user' : 'other';
}

/**
 * Steps in order; every entry is in exactly one. An assistant step holds the answer (in the Responses format: the run of reasoning,
 * call and message items) and every entry up to the last result of its calls, whatever stands between.
 */
export function deriveSteps(entries: readonly Entry[]): readonly Step[] {
  const matches = matchCalls(entries);
  const reach = lastAnswers(matches);
  const ids = callIdsByEntry(matches);
  const unanswered = new Set(matches.calls.filter((call) => call.status === 'ok' && call.answer === undefined).map((call) => call.entry));
  const steps: Step[] = [];
  for (let from = 0; from < entries.length; ) {
    const kind = kindOf(entries[from]!);
    const to = kind === 'assistant' ? endOfAssistantStep(entries, from, reach) : from;
    const callIds: string[] = [];
    let isWaiting = false;
    for (let index = from; index <= to; index += 1) {
      for (const id of ids.get(index) ?? []) callIds.push(id);
      isWaiting ||= unanswered.has(index);
    }
    const isOpen = isWaiting && to === entries.length - 1;
    steps.push({ from, to, kind, isGenuineUser: kind === 'user' && isGenuineUser(entries[from]!), isOpen, callIds });
    from = to + 1;
  }
  return steps;
}

/** Turns in order; every step is in exactly one. */
export function deriveTurns(entries: readonly Entry[]): readonly Turn[] {
  const groups: Step[][] = [];
  for (const step of deriveSteps(entries)) {
    if (step.isGenuineUser || groups.length === 0) groups.push([step]);
    else groups.at(-1)!.push(step);
  }
  return groups.map((steps) => ({ from: steps[0]!.from, to: steps.at(-1)!.to, hasGenuineUser: steps[0]!.isGenuineUser, steps }));
}

/** True when the entry ends in something that must be carried together with what follows it. */
function endsOpaque(entry: Entry): boolean {
  return entry.message.parts.at(-1)?.kind === 'opaque';
}

/** {@link safeCuts} of steps that are known already. */
export function safeCutsOfSteps(entries: readonly Entry[], steps: readonly Step[]): readonly number[] {
  const cuts: number[] = [];
  steps.forEach((step, index) => {
    const previous = steps[index - 1];
    if (previous === undefined) return;
    const isPaired = previous.kind !== 'assistant' && endsOpaque(entries[previous.to]!);
    if (step.isGenuineUser || (step.kind === 'assistant' && !isPaired)) cuts.push(step.from);
  });
  return cuts;
}

/** Positions p (0 < p < n), ascending, at which a kept part may begin: a genuine user message or an assistant step. */
export function safeCuts(entries: readonly Entry[]): readonly number[] {
  return safeCutsOfSteps(entries, deriveSteps(entries));
}
