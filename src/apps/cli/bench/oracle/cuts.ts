// Where a transcript is cut: before an answer of the agent, where a request was really made.
import { type FlatEvent, isAgentEvent, isSupply } from './event.ts';

export const CUT_SHARES = [0.35, 0.5, 0.65, 0.8] as const;
/** So many events at the end are never cut off: too little happens behind them. */
const LAST_EVENTS = 8;

/** Indices k, ascending, each once: events before k are the prefix. */
export function cutsOf(events: readonly FlatEvent[], shares: readonly number[] = CUT_SHARES): readonly number[] {
  const total = events.reduce((sum, event) => sum + event.tokens, 0);
  const cuts = new Set<number>();
  for (const share of shares) {
    const cut = nextCut(events, passedAt(events, share * total));
    if (cut !== undefined) cuts.add(cut);
  }
  return [...cuts].sort((a, b) => a - b);
}

/** Index of the first event behind so many tokens. */
function passedAt(events: readonly FlatEvent[], tokens: number): number {
  let passed = 0;
  const index = events.findIndex((event) => {
    const isPassed = passed >= tokens;
    passed += event.tokens;
    return isPassed;
  });
  return index < 0 ? events.length : index;
}

function nextCut(events: readonly FlatEvent[], from: number): number | undefined {
  for (let index = Math.max(1, from); index < events.length - LAST_EVENTS; index += 1) {
    if (isAgentEvent(events[index]!) && isSupply(events[index - 1]!)) return index;
  }
  return undefined;
}
