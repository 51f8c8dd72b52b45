// Which result answers which call. One linear pass; a later call of the same id takes the results that follow it.
import type { Entry } from './entry.ts';

/** A call and where it stands. `entry` and `part` are indices into the given entries and into the message's parts. */
export interface CallRef {
  readonly entry: number;
  readonly part: number;
  readonly id: string;
  /** no-name and duplicate calls can be answered by nothing. */
  readonly status: 'ok' | 'no-name' | 'duplicate';
  /** The result that answers it; undefined while there is none. */
  answer?: ResultRef;
}

/** A result and where it stands. */
export interface ResultRef {
  readonly entry: number;
  readonly part: number;
  readonly callId: string;
  readonly status: 'answer' | 'duplicate' | 'orphan' | 'late';
}

export interface Matches {
  readonly calls: readonly CallRef[];
  readonly results: readonly ResultRef[];
}

/** True when the message carries something beside results: the next answer of the model was asked for with it. */
function carriesMore(entry: Entry): boolean {
  const { role, parts } = entry.message;
  if (role === 'system' || parts.length === 0) return true;
  return parts.some((part) => part.kind !== 'result' && !(role === 'tool' && part.kind === 'opaque'));
}

class Matcher {
  readonly calls: CallRef[] = [];
  readonly results: ResultRef[] = [];
  private readonly open = new Map<string, CallRef[]>();
  private readonly answered = new Set<string>();
  private readonly late = new Set<string>();
  private readonly idsOfRun = new Set<string>();
  private hasMore = false;
  private isInRun = false;

  add(entry: Entry, index: number): void {
    if (entry.message.role === 'assistant') this.beginAssistant();
    else {
      this.isInRun = false;
      this.hasMore ||= carriesMore(entry);
    }
    entry.message.parts.forEach((part, partIndex) => {
      if (part.kind === 'call') this.addCall({ entry: index, part: partIndex, id: part.id.trim(), name: part.name });
      else if (part.kind === 'result') this.addResult({ entry: index, part: partIndex, callId: part.callId.trim() });
    });
  }

  private beginAssistant(): void {
    if (!this.isInRun) this.idsOfRun.clear();
    this.isInRun = true;
    if (!this.hasMore) return;
    for (const id of this.open.keys()) this.late.add(id);
    this.open.clear();
    this.hasMore = false;
  }

  private addCall(call: { entry: number; part: number; id: string; name: string }): void {
    const { entry, part, id } = call;
    const status = call.name.trim() === '' ? 'no-name' : this.idsOfRun.has(id) ? 'duplicate' : 'ok';
    const ref: CallRef = { entry, part, id, status };
    this.calls.push(ref);
    if (status !== 'ok') return;
    this.idsOfRun.add(id);
    const stack = this.open.get(id);
    if (stack === undefined) this.open.set(id, [ref]);
    else stack.push(ref);
  }

  private addResult(result: { entry: number; part: number; callId: string }): void {
    const stack = this.open.get(result.callId);
    const call = stack?.pop();
    if (stack?.length === 0) this.open.delete(result.callId);
    if (call !== undefined) {
      call.answer = { ...result, status: 'answer' };
      this.answered.add(result.callId);
      this.results.push(call.answer);
      return;
    }
    const status = this.late.has(result.callId) ? 'late' : this.answered.has(result.callId) ? 'duplicate' : 'orphan';
    this.results.push({ ...result, status });
  }
}

/**
 * Pairs calls with results. A result counts wherever it comes, until an assistant message follows something that is more than
 * results: from then on the call is settled as unanswered, so that what was sent for a prefix stays as it was.
 */
export function matchCalls(entries: readonly Entry[]): Matches {
  const matcher = new Matcher();
  entries.forEach((entry, index) => {
    matcher.add(entry, index);
  });
  return { calls: matcher.calls, results: matcher.results };
}
