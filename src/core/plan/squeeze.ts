// Shortens inside what stays: first stubs before the newest step, oldest and largest first, then every body to one common level.
// The newest genuine ask is never touched.
import { estimateTokens } from '../size/estimator.ts';
import { framedBodies } from '../summary/frame.ts';
import type { EntryEdit, PartEdit } from './edit.ts';
import { sentTokens } from './edited.ts';
import { runTokens } from './live.ts';
import { choosePrunes, editsOf, findPrunes, type Prune } from './prune.ts';
import type { Scope } from './scope.ts';
import { cappedText } from './stub.ts';

const SMALLEST_BODY_TOKENS = 32;
const MOST_HALVINGS = 32;

interface Body {
  readonly position: number;
  readonly part: number;
  readonly text: string;
  readonly tokens: number;
}

interface Run {
  readonly from: number;
  readonly to: number;
}

/** Edits that bring the entries from … to the end down to `budgetTokens`, or as near as edits can. */
export function squeezeLive(scope: Scope, from: number, budgetTokens: number): readonly EntryEdit[] {
  const run = { from, to: scope.entries.length - 1 };
  const whole = runTokens(scope, run, []);
  if (whole <= budgetTokens) return [];
  const newest = scope.steps[scope.steps.length - 1]!;
  const notAsked = ({ position }: Prune): boolean => position !== scope.newestAsk;
  const older = findPrunes(scope, run.from, newest.from - 1).filter(notAsked);
  const chosen = choosePrunes(older, whole - budgetTokens);
  if (chosen !== undefined) return editsOf(chosen, 'squeeze');
  const edits = levelled(scope, { run, prunes: older }, budgetTokens);
  if (runTokens(scope, run, edits) <= budgetTokens) return edits;
  const own = findPrunes(scope, Math.max(newest.from, run.from), newest.to).filter(notAsked);
  return levelled(scope, { run, prunes: [...older, ...own.filter(({ edit }) => edit.kind !== 'replace-text')] }, budgetTokens);
}

/** All the prunes, and every body they leave cut to the one level that fits. */
function levelled(
  scope: Scope,
  live: { readonly run: Run; readonly prunes: readonly Prune[] },
  budgetTokens: number,
): readonly EntryEdit[] {
  const base = editsOf(live.prunes, 'squeeze');
  const bodies = findBodies(scope, live.run, base);
  const fixed = runTokens(scope, live.run, base) - bodies.reduce((sum, { tokens }) => sum + tokens, 0);
  const level = commonLevel(bodies, budgetTokens - fixed);
  const edits = new Map<number, PartEdit[]>(base.map(({ position, edits: own }) => [position, [...own]]));
  for (const { position, part, text, tokens } of bodies) {
    if (tokens <= level) continue;
    const capped: PartEdit = { kind: 'replace-text', part, text: cappedText(scope, { position, part, text }, level) };
    edits.set(position, [...(edits.get(position) ?? []), capped]);
  }
  return [...edits]
    .sort(([a], [b]) => a - b)
    .map(([position, own]): EntryEdit => ({ position, kind: 'squeeze', edits: own }))
    .filter(({ position, edits: own }) => sentTokens(scope.entries[position]!, own) < sentTokens(scope.entries[position]!));
}

/** Texts and results that are not shortened yet, media inside results with them. */
function findBodies(scope: Scope, run: Run, base: readonly EntryEdit[]): readonly Body[] {
  const edited = new Set(
    base.flatMap(({ position, edits }) => edits.flatMap((edit) => ('part' in edit ? [`${position}.${edit.part}`] : []))),
  );
  const bodies: Body[] = [];
  for (let position = run.from; position <= run.to; position += 1) {
    if (position === scope.newestAsk) continue;
    scope.entries[position]!.message.parts.forEach((part, index) => {
      if ((part.kind !== 'text' && part.kind !== 'result') || edited.has(`${position}.${index}`)) return;
      // A summary cut in two would be none, and the first ask stands in it.
      if (part.kind === 'text' && framedBodies(part.text).length > 0) return;
      const tokens = estimateTokens(part.text);
      if (tokens > SMALLEST_BODY_TOKENS) bodies.push({ position, part: index, text: part.text, tokens });
    });
  }
  return bodies;
}

/** The highest level that all bodies, cut to it, fit the budget with; at least {@link SMALLEST_BODY_TOKENS}. */
function commonLevel(bodies: readonly Body[], budgetTokens: number): number {
  let low = SMALLEST_BODY_TOKENS;
  let high = bodies.reduce((most, { tokens }) => Math.max(most, tokens), low);
  for (let halving = 0; halving < MOST_HALVINGS && high - low > 1; halving += 1) {
    const level = Math.floor((low + high) / 2);
    const sum = bodies.reduce((total, { tokens }) => total + Math.min(tokens, level), 0);
    if (sum <= budgetTokens) low = level;
    else high = level;
  }
  return low;
}
