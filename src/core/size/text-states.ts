// The automaton behind the estimator: what stands before a character decides what the character adds.
// Every step has a named weight; names are shared where a vocabulary makes no difference. Weights are in text-weights.ts.
import {
  ASCII_MARK_CLASSES,
  CHARACTER_CLASSES,
  type CharacterClass,
  LATIN_CLASSES,
  SCRIPT_CLASSES,
  WIDE_MARK_CLASSES,
} from './text-classes.ts';

/** What stands before the first letter of a run: a space, one mark, a backslash, or nothing that joins it. */
type Lead = 'space' | 'mark' | 'escape' | 'bare';

/** Lower case, capitalised (also the humps of camelCase), or all upper case. */
type Form = 'lower' | 'capital' | 'upper';

type State =
  | { readonly kind: 'start' }
  | { readonly kind: 'word'; readonly form: Form; readonly lead: Lead; readonly length: number }
  | { readonly kind: 'script'; readonly script: CharacterClass; readonly length: number }
  | { readonly kind: 'mark'; readonly mark: CharacterClass; readonly isJoining: boolean }
  | { readonly kind: 'run'; readonly of: CharacterClass; readonly length: number };

/** Lengths from which on every further character costs the same. */
const LONGEST = { lower: 12, capital: 12, upper: 6, script: 6, space: 3, newline: 2 } as const;

const LATIN: ReadonlySet<string> = new Set(LATIN_CLASSES);
const UPPER: ReadonlySet<string> = new Set(['upper', 'upper-accent']);
const MARKS: ReadonlySet<string> = new Set([...ASCII_MARK_CLASSES, ...WIDE_MARK_CLASSES]);
const SCRIPTS: ReadonlySet<string> = new Set(SCRIPT_CLASSES);

function leadOf(state: State): Lead {
  if (state.kind === 'run' && (state.of === 'space' || state.of === 'tab')) return 'space';
  if (state.kind !== 'mark') return 'bare';
  if (state.mark === 'backslash') return 'escape';
  return state.isJoining ? 'mark' : 'bare';
}

function nextInWord(state: State, isUpper: boolean): State {
  const form: Form = isUpper ? 'upper' : 'lower';
  if (state.kind !== 'word') return { kind: 'word', form, lead: leadOf(state), length: 1 };
  if (isUpper && state.form !== 'upper') return { kind: 'word', form: 'upper', lead: 'bare', length: 1 };
  const grown = !isUpper && state.form === 'upper' ? 'capital' : state.form;
  return { ...state, form: grown, length: Math.min(state.length + 1, LONGEST[grown]) };
}

function nextInRun(state: State, of: CharacterClass): State {
  const longest = of === 'space' ? LONGEST.space : of === 'newline' ? LONGEST.newline : 1;
  const length = state.kind === 'run' && state.of === of ? state.length + 1 : 1;
  if (of === 'digit') return { kind: 'run', of, length: length > 3 ? 1 : length };
  return { kind: 'run', of, length: Math.min(length, longest) };
}

function next(state: State, to: CharacterClass): State {
  if (LATIN.has(to)) return nextInWord(state, UPPER.has(to));
  if (SCRIPTS.has(to)) {
    const length = state.kind === 'script' && state.script === to ? Math.min(state.length + 1, LONGEST.script) : 1;
    return { kind: 'script', script: to, length };
  }
  if (MARKS.has(to)) return { kind: 'mark', mark: to, isJoining: state.kind !== 'mark' && leadOf(state) !== 'space' };
  return nextInRun(state, to);
}

/** Characters of source code and prose in Latin script: what stands before them matters in detail. */
const COMMON: ReadonlySet<string> = new Set([...ASCII_MARK_CLASSES, ...LATIN_CLASSES, 'digit', 'space', 'tab', 'newline']);

/** Name of a state in front of a common character. */
function groupOf(state: State): string {
  if (state.kind === 'word') return 'word';
  if (state.kind === 'mark') return COMMON.has(state.mark) ? state.mark : 'other';
  if (state.kind !== 'run' || !COMMON.has(state.of)) return 'other';
  return state.length > 1 ? `${state.of}-${state.length}` : state.of;
}

/** Name of a state in front of a rare character. */
function coarseGroupOf(state: State, to: CharacterClass): string {
  if (state.kind === 'mark') return state.mark === to ? 'same' : 'mark';
  if (state.kind !== 'run') return state.kind === 'word' ? 'word' : 'other';
  if (state.of === to) return 'same';
  return COMMON.has(state.of) ? state.of : 'other';
}

function wordWeight(state: State, to: CharacterClass): string {
  const isUpper = UPPER.has(to);
  const kind = to === 'lower' || to === 'upper' ? to : 'accent';
  if (state.kind === 'word') {
    if (isUpper && state.form !== 'upper') return `hump ${Math.min(state.length, 4)} ${kind}`;
    return kind === 'accent' ? `${state.form} accent` : `${state.form} ${state.lead} ${state.length} ${kind}`;
  }
  const isAfterRun = state.kind === 'mark' && !state.isJoining;
  return `${isAfterRun ? 'after ' : ''}${groupOf(state)}>${kind}`;
}

/** The weight that a character of class `to` adds in `state`. */
function weightName(state: State, to: CharacterClass): string {
  if (LATIN.has(to)) return wordWeight(state, to);
  if (state.kind === 'script' && state.script === to) return `${to} ${state.length}`;
  if (state.kind === 'word' && state.lead === 'escape' && state.length === 1 && to === 'backslash') return 'escape>escape';
  return `${COMMON.has(to) ? groupOf(state) : coarseGroupOf(state, to)}>${to}`;
}

/** Columns of a row of the tables; a power of two, so that an index is a shift and an or. */
export const STATE_SHIFT = 6;

function keyOf(state: State): string {
  if (state.kind === 'word') return `${state.form}-${state.lead}-${state.length}`;
  if (state.kind === 'script') return `${state.script}-${state.length}`;
  if (state.kind === 'mark') return `${state.mark}-${state.isJoining}`;
  return state.kind === 'run' ? `${state.of}-${state.length}` : state.kind;
}

export interface Automaton {
  readonly stateCount: number;
  /** By state << STATE_SHIFT | class: the next state. */
  readonly next: Uint8Array;
  /** By state << STATE_SHIFT | class: index into `weightNames`. */
  readonly weightOf: Uint16Array;
  readonly weightNames: readonly string[];
}

/** As many as a byte can name. */
const MOST_STATES = 256;

function buildAutomaton(): Automaton {
  const states: State[] = [{ kind: 'start' }];
  const stateIndex = new Map([[keyOf(states[0]!), 0]]);
  const nameIndex = new Map<string, number>();
  const nextOf = new Uint8Array(MOST_STATES << STATE_SHIFT);
  const weightOf = new Uint16Array(MOST_STATES << STATE_SHIFT);
  for (let from = 0; from < states.length; from++) {
    for (let column = 0; column < CHARACTER_CLASSES.length; column++) {
      const target = next(states[from]!, CHARACTER_CLASSES[column]!);
      const key = keyOf(target);
      if (!stateIndex.has(key)) stateIndex.set(key, states.push(target) - 1);
      const name = weightName(states[from]!, CHARACTER_CLASSES[column]!);
      if (!nameIndex.has(name)) nameIndex.set(name, nameIndex.size);
      nextOf[(from << STATE_SHIFT) | column] = stateIndex.get(key)!;
      weightOf[(from << STATE_SHIFT) | column] = nameIndex.get(name)!;
    }
  }
  return { stateCount: states.length, next: nextOf, weightOf, weightNames: [...nameIndex.keys()] };
}

let built: Automaton | undefined;

/** The same automaton every time, built on first use. */
export function automaton(): Automaton {
  built ??= buildAutomaton();
  return built;
}
