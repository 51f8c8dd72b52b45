// Which facts of a prefix the agent needed again: they stood there, and the next time anybody wrote them it was the agent.
import { type FlatEvent, isAgentEvent, isSupply } from './event.ts';
import { JoinedText, type Place } from './joined-text.ts';
import { occursIn } from './occurrence.ts';

/** How far behind the cut is looked. */
const HORIZON_EVENTS = 60;
/** Of one event the rarest count: a file written out in full must not outvote everything else. */
const RAREST_PER_EVENT = 25;

/** A way to read facts out of a text. */
export interface Extractor {
  /** Facts of an event of this index, each once. */
  readonly factsAt: (index: number) => ReadonlySet<string> | ReadonlyMap<string, unknown>;
  /** A fact counts wherever its letters stand, not only as a word of its own. */
  readonly isSubstring?: boolean;
  /** Facts in more events of the prefix are common property. */
  readonly mostEvents?: number;
}

/** One fact that was needed. */
export interface NeededFact {
  readonly text: string;
  /** Events of the prefix in which it stands. */
  readonly frequency: number;
  /** Where it stands in the prefix. */
  readonly places: readonly Place[];
}

/** What facts are looked for in. */
export interface Prefix {
  readonly events: readonly FlatEvent[];
  /** Events before this index are the prefix. */
  readonly cut: number;
  readonly joined: JoinedText;
}

export function prefixOf(events: readonly FlatEvent[], cut: number): Prefix {
  return { events, cut, joined: new JoinedText(events.slice(0, cut).map((event) => event.text)) };
}

/** Facts of the prefix whose first occurrence behind the cut is in something the agent wrote. */
export function neededFacts(prefix: Prefix, extractor: Extractor): readonly NeededFact[] {
  const { events, cut } = prefix;
  const known = new Set<string>();
  for (let index = 0; index < cut; index += 1) for (const fact of extractor.factsAt(index).keys()) known.add(fact);
  const seen = new Set<string>();
  const needed: NeededFact[] = [];
  const end = Math.min(events.length, cut + HORIZON_EVENTS);
  for (let index = cut; index < end; index += 1) {
    if (!isAgentEvent(events[index]!)) continue;
    const fresh = [...extractor.factsAt(index).keys()].filter((fact) => known.has(fact) && !seen.has(fact));
    for (const fact of fresh) seen.add(fact);
    const own = fresh.filter((fact) => !isSupplied(prefix, { fact, index, isSubstring: extractor.isSubstring === true }));
    needed.push(...rarest(own.map((fact) => locate(prefix, extractor, fact)).filter((fact) => isCounted(fact, extractor))));
  }
  return needed;
}

function isSupplied(
  { events, cut }: Prefix,
  asked: { readonly fact: string; readonly index: number; readonly isSubstring: boolean },
): boolean {
  for (let index = cut; index < asked.index; index += 1) {
    const event = events[index]!;
    if (isSupply(event) && (asked.isSubstring ? event.text.includes(asked.fact) : occursIn(event.text, asked.fact))) return true;
  }
  return false;
}

function locate({ joined }: Prefix, { isSubstring }: Extractor, text: string): NeededFact {
  const places = joined.placesOf(text, isSubstring);
  return { text, places, frequency: new Set(places.map(({ index }) => index)).size };
}

/** A fact that an extractor read but that stands nowhere by itself (half of a longer name) is none. */
function isCounted({ frequency }: NeededFact, { mostEvents = Number.POSITIVE_INFINITY }: Extractor): boolean {
  return frequency > 0 && frequency <= mostEvents;
}

function rarest(facts: readonly NeededFact[]): readonly NeededFact[] {
  const ordered = [...facts].sort((a, b) => a.frequency - b.frequency || (a.text < b.text ? -1 : 1));
  return ordered.slice(0, RAREST_PER_EVENT);
}
