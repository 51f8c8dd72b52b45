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
  /** All that a fact may stand as in an event of this index, when that is more than what is read there. Default: looked for in the text. */
  readonly standingAt?: (index: number) => ReadonlySet<string>;
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
  /** Where it stands in the prefix; empty for an extractor that knows the events alone. */
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
  const { factsAt, standingAt = factsAt } = extractor;
  const readIn = countEvents(factsAt, cut);
  const standsIn = extractor.standingAt && countEvents(extractor.standingAt, cut);
  const seen = new Set<string>();
  const shown = new Set<string>();
  const needed: NeededFact[] = [];
  const end = Math.min(events.length, cut + HORIZON_EVENTS);
  for (let index = cut; index < end; index += 1) {
    if (isSupply(events[index]!)) for (const fact of standingAt(index).keys()) shown.add(fact);
    if (!isAgentEvent(events[index]!)) continue;
    const fresh = [...factsAt(index).keys()].filter((fact) => readIn.has(fact) && !seen.has(fact));
    for (const fact of fresh) seen.add(fact);
    const own = fresh.filter((fact) => !shown.has(fact)).map((text) => ({ text, frequency: readIn.get(text)! }));
    needed.push(...rarest(own, (text) => (standsIn === undefined ? located(prefix, extractor, { text, index }) : counted(standsIn, text))));
  }
  return needed.filter(({ frequency }) => frequency <= (extractor.mostEvents ?? Number.POSITIVE_INFINITY));
}

/** For each fact, events before the cut that hold it. */
function countEvents(factsAt: Extractor['factsAt'], cut: number): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (let index = 0; index < cut; index += 1) for (const fact of factsAt(index).keys()) counts.set(fact, (counts.get(fact) ?? 0) + 1);
  return counts;
}

interface Named {
  readonly text: string;
  readonly frequency: number;
}

/**
 * The rarest of these facts. They are looked for in the order of the events they were read in: they stand in no fewer, so the search ends
 * early, and a file written out in full costs no more than a line.
 */
function rarest(read: readonly Named[], standing: (text: string) => NeededFact | undefined): readonly NeededFact[] {
  const taken: NeededFact[] = [];
  for (const fact of [...read].sort(byFrequency)) {
    const last = taken[RAREST_PER_EVENT - 1];
    if (last !== undefined && byFrequency(last, fact) <= 0) break;
    const found = standing(fact.text);
    if (found === undefined) continue;
    taken.push(found);
    taken.sort(byFrequency);
    taken.splice(RAREST_PER_EVENT);
  }
  return taken;
}

function byFrequency(a: Named, b: Named): number {
  return a.frequency - b.frequency || (a.text < b.text ? -1 : a.text > b.text ? 1 : 0);
}

/** A fact that an extractor read but that stands nowhere by itself (half of a longer name) is none, nor is one that was shown inside a longer text. */
function located(prefix: Prefix, extractor: Extractor, asked: { readonly text: string; readonly index: number }): NeededFact | undefined {
  const { text } = asked;
  if (isSupplied(prefix, extractor, asked)) return undefined;
  const places = prefix.joined.placesOf(text, extractor.isSubstring);
  return places.length === 0 ? undefined : { text, places, frequency: new Set(places.map(({ index }) => index)).size };
}

function isSupplied(
  { events, cut }: Prefix,
  { isSubstring }: Extractor,
  { text, index }: { readonly text: string; readonly index: number },
): boolean {
  return events
    .slice(cut, index)
    .some((event) => isSupply(event) && (isSubstring === true ? event.text.includes(text) : occursIn(event.text, text)));
}

function counted(standsIn: ReadonlyMap<string, number>, text: string): NeededFact {
  return { text, places: [], frequency: standsIn.get(text) ?? 0 };
}
