// Units: what a fold chooses lines from. One per text, and one per call together with its result.
import { withoutFramedSummaries } from '../summary/frame.ts';
import { redactSecrets } from '../summary/redact.ts';
import { type Entry, entryHandle } from '../transcript/entry.ts';
import { genuineText, isGenuineUser } from '../transcript/genuine.ts';
import { bodiesIn, carriedWords } from './carried.ts';
import type { LineTable } from './line-table.ts';
import { type Pairing, placeKey } from './pairing.ts';
import { readLines, SOURCE, type Workbench } from './work.ts';

/** Lines of one source inside a unit. */
export interface UnitText {
  readonly kind: number;
  readonly table: LineTable;
}

export interface Unit {
  /** Position of the entry it begins with. */
  readonly position: number;
  /** user, assistant, or the name of a tool. */
  readonly label: string;
  /** Handle of the text that is most worth opening. */
  readonly handle: string;
  readonly texts: readonly UnitText[];
  /** For what a person said: the whole of it, without secrets. */
  readonly genuine?: string;
  /** For what a summary of ours carried: the words of a person in it. */
  readonly carried?: string;
}

/** A unit of fewer tokens is not worth opening: what is left out of it is little. */
const WORTH_OPENING_TOKENS = 200;

/** The mark in front of a unit, with its handle where that can be opened and is worth it. */
export function unitHeader(unit: Unit, canOpenHandles: boolean): string {
  const tokens = unit.texts.reduce((sum, { table }) => sum + table.tokens, 0);
  return canOpenHandles && tokens >= WORTH_OPENING_TOKENS ? `[${unit.label} ${unit.handle}] ` : `[${unit.label}] `;
}

/** What units are made from. */
export interface UnitScope {
  readonly entries: readonly Entry[];
  readonly pairing: Pairing;
  /** Results, by {@link placeKey}, that contribute nothing. */
  readonly repeats: ReadonlyMap<number, unknown>;
  readonly bench: Workbench;
}

/** A part of an entry by place. */
export interface PartPlace {
  readonly position: number;
  readonly part: number;
}

/** Units of the entries up to `to`, in entry order, and of single parts behind it that are not sent whole. */
export function collectUnits(scope: UnitScope, to: number, shortened: readonly PartPlace[]): readonly Unit[] {
  const units: Unit[] = [];
  for (let position = 0; position <= to; position += 1) addEntry(scope, position, units);
  for (const place of shortened) addPart(scope, place, units);
  return units;
}

function addPart(scope: UnitScope, place: PartPlace, units: Unit[]): void {
  const entry = scope.entries[place.position]!;
  const part = entry.message.parts[place.part]!;
  const source = scope.bench.of(entry).sources[place.part];
  if (part.kind === 'result') addResult(scope, place, units);
  else if (source !== undefined && part.kind !== 'call') units.push(...textUnits(entry, place.part, source));
  else if (source !== undefined && part.kind === 'call') {
    units.push({ position: place.position, label: part.name, handle: entryHandle(entry.chain, place.part), texts: [source] });
  }
}

function addEntry(scope: UnitScope, position: number, units: Unit[]): void {
  const entry = scope.entries[position]!;
  const { sources } = scope.bench.of(entry);
  entry.message.parts.forEach((part, index) => {
    if (part.kind === 'call') units.push(callUnit(scope, position, index));
    else if (part.kind === 'result') {
      if (!scope.pairing.callOf.has(placeKey(position, index))) addResult(scope, { position, part: index }, units);
    } else {
      const source = sources[index];
      if (source !== undefined) units.push(...textUnits(entry, index, source));
    }
  });
}

/** A summary of ours is apart from what a person wrote beside it. */
function textUnits(entry: Entry, index: number, source: UnitText): readonly Unit[] {
  const part = entry.message.parts[index]!;
  const bodies = part.kind === 'text' && entry.message.role === 'user' ? bodiesIn(part.text) : [];
  if (bodies.length === 0 || part.kind !== 'text') return [textUnit(entry, index, source)];
  const body = bodies.join('\n\n');
  const carried = textUnit(entry, index, { kind: SOURCE.result, table: readLines(body) });
  const { genuine: _, ...summary } = { ...carried, carried: redactSecrets(bodies.map(carriedWords).join('\n')) };
  const rest = withoutFramedSummaries(part.text);
  return rest.trim() === '' ? [summary] : [summary, textUnit(entry, index, { kind: source.kind, table: readLines(rest) })];
}

function textUnit(entry: Entry, index: number, source: UnitText): Unit {
  const { role, parts } = entry.message;
  const part = parts[index]!;
  const isUser = role === 'user' && part.kind === 'text' && isGenuineUser(entry);
  const genuine = isUser ? redactSecrets(genuineText(part.text)) : '';
  const kind = source.kind === SOURCE.user && genuine === '' ? SOURCE.result : source.kind;
  const handle = entryHandle(entry.chain, parts.length > 1 ? index : undefined);
  const unit = {
    position: entry.position,
    label: role === 'assistant' ? 'assistant' : role,
    handle,
    texts: [{ kind, table: source.table }],
  };
  return genuine === '' ? unit : { ...unit, genuine };
}

function callUnit(scope: UnitScope, position: number, index: number): Unit {
  const entry = scope.entries[position]!;
  const call = entry.message.parts[index]!;
  const texts: UnitText[] = [];
  const own = scope.bench.of(entry).sources[index];
  if (own !== undefined) texts.push(own);
  const answer = scope.pairing.resultOf.get(placeKey(position, index));
  let handle = entryHandle(entry.chain, index);
  if (answer !== undefined) {
    const answerEntry = scope.entries[answer.position]!;
    const result = scope.bench.of(answerEntry).sources[answer.part];
    if (result !== undefined && !scope.repeats.has(placeKey(answer.position, answer.part))) texts.push(result);
    handle = entryHandle(answerEntry.chain, answerEntry.message.parts.length > 1 ? answer.part : undefined);
  }
  return { position, label: call.kind === 'call' ? call.name : '', handle, texts };
}

function addResult(scope: UnitScope, place: PartPlace, units: Unit[]): void {
  const { position, part } = place;
  const key = placeKey(position, part);
  const entry = scope.entries[position]!;
  const source = scope.bench.of(entry).sources[part];
  if (source === undefined || scope.repeats.has(key)) return;
  const label = scope.pairing.callOf.get(key)?.call.name ?? 'result';
  units.push({ position, label, handle: entryHandle(entry.chain, entry.message.parts.length > 1 ? part : undefined), texts: [source] });
}
