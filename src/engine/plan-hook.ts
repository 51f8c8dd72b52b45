// The caller's look at a plan before it is executed: taken as it is, changed, or cancelled. What cannot be executed cancels, and says so.
import { UllageError } from '../core/errors.ts';
import type { EntryEdit, PartEdit } from '../core/plan/edit.ts';
import type { Plan } from '../core/plan/plan.ts';
import { frameSummary, isFramedSummary } from '../core/summary/frame.ts';
import type { Entry } from '../core/transcript/entry.ts';
import { deriveSteps } from '../core/transcript/steps.ts';
import type { Context } from './context.ts';

export interface HookedPlan {
  readonly plan: Plan;
  readonly isChanged: boolean;
  /** The caller gave the summary: no model writes another. */
  readonly isFoldGiven: boolean;
}

export async function askHook(context: Context, plan: Plan, entries: readonly Entry[]): Promise<HookedPlan | 'cancel'> {
  const hook = context.options.beforeCompact;
  if (!hook) return { plan, isChanged: false, isFoldGiven: false };
  const planned = JSON.stringify(plan);
  const fold = plan.fold && `${plan.fold.to} ${plan.fold.text}`;
  try {
    // A hook that only looks may return nothing.
    const answer = ((await hook(plan)) as Plan | 'cancel' | undefined) ?? plan;
    if (answer === 'cancel') return 'cancel';
    if (JSON.stringify(answer) === planned) return { plan, isChanged: false, isFoldGiven: false };
    const changed = executable(answer, { entries, watermark: entries.length - 1 });
    return { plan: changed, isChanged: true, isFoldGiven: fold !== (changed.fold && `${changed.fold.to} ${changed.fold.text}`) };
  } catch (error) {
    cancelledBy(context, error);
    return 'cancel';
  }
}

/** A fault of the hook, or of the plan it made, stops no request. */
export function cancelledBy(context: Context, error: unknown): void {
  context.health.lastFault = `beforeCompact: ${String(error)}`;
  context.log.write('error', `A compaction was cancelled, because beforeCompact failed: ${String(error)}`);
}

function refuse(what: string, value: unknown, limit: string): never {
  throw new UllageError('option_invalid', `The plan of beforeCompact has ${what} ${JSON.stringify(value)}; it must be ${limit}.`);
}

interface Limits {
  readonly entries: readonly Entry[];
  readonly watermark: number;
}

/** The plan in the form that is executed. Throws option_invalid for what cannot be. */
function executable(plan: Plan, { entries, watermark }: Limits): Plan {
  if (typeof plan !== 'object' || plan === null || !Array.isArray(plan.edits)) refuse('the value', plan, "a plan, or 'cancel'");
  const fold = plan.fold && { ...plan.fold, text: framed(plan.fold.text) };
  const to = fold?.to ?? -1;
  if (fold && !deriveSteps(entries).some((step) => step.to === to && to < entries.length - 1))
    refuse('fold.to', to, 'the last position of a step, and not of the last one');
  let last = to;
  for (const edit of plan.edits) {
    if (!(Number.isInteger(edit.position) && edit.position > last && edit.position < entries.length))
      refuse('an edit at position', edit.position, 'positions behind the fold, in order');
    checkParts(edit, entries[edit.position]!);
    last = edit.position;
  }
  return { ...plan, fold, watermark, stages: Array.isArray(plan.stages) ? plan.stages : [] };
}

function framed(text: unknown): string {
  if (typeof text !== 'string' || text.trim() === '') return refuse('fold.text', text, 'a text');
  return isFramedSummary(text) ? text : frameSummary({ body: text });
}

function checkParts({ position, edits }: EntryEdit, entry: Entry): void {
  for (const edit of edits as readonly PartEdit[]) {
    if ('part' in edit && entry.message.parts[edit.part] === undefined)
      refuse(`at position ${position} the part`, edit.part, 'one that is there');
  }
}
