// The last pass: shortens inside what stays, oldest and largest first. The newest genuine ask is never touched.
import { estimateTokens } from '../size/estimator.ts';
import type { EntryEdit, PartEdit } from './edit.ts';
import { sentTokens } from './edited.ts';
import { cappedText, runTokens } from './live.ts';
import { choosePrunes, editsOf, findPrunes, type Prune } from './prune.ts';
import type { Scope } from './scope.ts';

const SMALLEST_BODY_TOKENS = 32;
const HALVINGS = 14;

interface Body {
  readonly position: number;
  readonly part: number;
  readonly text: string;
  readonly tokens: number;
}

/** Edits that bring the entries from … to the end down to `budgetTokens`, or as near as edits can. */
export function squeezeLive(scope: Scope, from: number, budgetTokens: number): readonly EntryEdit[] {
  const run = { from, to: scope.entries.length - 1 };
  const whole = runTokens(scope, run, []);
  if (whole <= budgetTokens) return [];
  const prunes = findPrunes(scope, run.from, run.to).filter(({ position }) => position !== scope.newestAsk);
  const chosen = choosePrunes(prunes, whole - budgetTokens);
  return chosen === undefined ? levelled(scope, { run, prunes }, budgetTokens) : editsOf(chosen, 'squeeze');
}

/** Nothing but media, thinking and arguments is pruned; every other body is cut to one common level. */
function levelled(
  scope: Scope,
  live: { readonly run: { readonly from: number; readonly to: number }; readonly prunes: readonly Prune[] },
  budgetTokens: number,
): readonly EntryEdit[] {
  const base = live.prunes.filter(({ edit }) => edit.kind !== 'replace-text');
  const bodies = findBodies(scope, live.run);
  const fixed = runTokens(scope, live.run, editsOf(base, 'squeeze')) - bodies.reduce((sum, { tokens }) => sum + tokens, 0);
  const level = commonLevel(bodies, budgetTokens - fixed);
  const edits = new Map<number, PartEdit[]>(editsOf(base, 'squeeze').map(({ position, edits: own }) => [position, [...own]]));
  for (const { position, part, text, tokens } of bodies) {
    if (tokens <= level) continue;
    const own = edits.get(position) ?? [];
    own.push({ kind: 'replace-text', part, text: cappedText(scope, { position, part, text }, level) });
    edits.set(position, own);
  }
  return [...edits]
    .sort(([a], [b]) => a - b)
    .map(([position, own]): EntryEdit => ({ position, kind: 'squeeze', edits: own }))
    .filter(({ position, edits: own }) => sentTokens(scope.entries[position]!, own) < sentTokens(scope.entries[position]!));
}

function findBodies(scope: Scope, run: { readonly from: number; readonly to: number }): Body[] {
  const bodies: Body[] = [];
  for (let position = run.from; position <= run.to; position += 1) {
    if (position === scope.newestAsk) continue;
    scope.entries[position]!.message.parts.forEach((part, index) => {
      if (part.kind !== 'text' && part.kind !== 'result') return;
      const tokens = estimateTokens(part.text);
      if (tokens > SMALLEST_BODY_TOKENS) bodies.push({ position, part: index, text: part.text, tokens });
    });
  }
  return bodies;
}

/** The level that all bodies, cut to it, fit the budget with; at least {@link SMALLEST_BODY_TOKENS}. */
function commonLevel(bodies: readonly Body[], budgetTokens: number): number {
  let low = SMALLEST_BODY_TOKENS;
  let high = bodies.reduce((most, { tokens }) => Math.max(most, tokens), low);
  for (let halving = 0; halving < HALVINGS && high - low > 1; halving += 1) {
    const level = Math.floor((low + high) / 2);
    const sum = bodies.reduce((total, { tokens }) => total + Math.min(tokens, level), 0);
    if (sum <= budgetTokens) low = level;
    else high = level;
  }
  return low;
}
