// One request on its way through prepare: what came in, where it stands, what would be sent, how large that is.
import type { View } from '../core/plan/view.ts';
import type { Budget } from '../core/size/budget.ts';
import type { ContextSize } from '../core/size/size.ts';
import type { PinRow } from '../ports/store.ts';
import type { Context } from './context.ts';
import type { Intake } from './intake.ts';
import { placesOf } from './pin-places.ts';
import { type Rendered, renderRequest } from './render.ts';
import { applicableView, type Bound } from './sync.ts';

/** What a size, a budget and a plan depend on besides the messages. Stored with the conversation for calls without a request. */
export interface RequestShape {
  readonly model: string;
  readonly requestedOutputTokens?: number;
  readonly preamble: Intake['preamble'];
  /** The request declares the tool that opens handles. */
  readonly canOpenHandles: boolean;
  /** What goes out around the messages after the preamble's. Unknown in conversations noted before this was. */
  readonly around?: Surroundings;
}

/** The part of a request that no compaction touches. */
export interface Surroundings {
  /** Messages of the preamble. */
  readonly messages: number;
  /** Of the body before the first and behind the last message that may be compacted. */
  readonly bytes: number;
}

export function surroundingsOf({ text, messages, preambleCount }: Intake['body']): Surroundings {
  const first = messages[preambleCount];
  const last = messages.at(-1);
  const around = first && last ? [text.slice(0, first.start), text.slice(last.end)] : [text];
  return { messages: preambleCount, bytes: around.reduce((sum, part) => sum + Buffer.byteLength(part), 0) };
}

export interface RequestState {
  readonly intake: Intake;
  readonly shape: RequestShape;
  /** undefined when the store could not be reached. */
  readonly bound?: Bound;
  /** The applicable view; undefined = everything goes out as it came. */
  readonly view?: View;
  readonly rendered: Rendered;
  readonly measure: Measure;
  readonly budget: Budget;
}

/** The size of the rendered request and what it is made of. */
export interface Measure {
  readonly context: ContextSize;
  /** Multiplies estimates. */
  readonly factor: number;
  readonly isCalibrated: boolean;
  /** Calibrated tokens that no estimate explains; they count as preamble. */
  readonly unexplainedTokens: number;
  /** Uncalibrated estimate of preamble and rendered messages. */
  readonly estimateTokens: number;
  /** Uncalibrated estimate of the entries after the view's watermark. */
  readonly grownTokens: number;
}

export async function loadView(context: Context, viewId: string): Promise<View | undefined> {
  const known = context.views.get(viewId);
  if (known) return known;
  const view = await context.store.view({ tenant: context.tenant, viewId });
  if (view) {
    if (context.views.size >= 64) context.views.delete(context.views.keys().next().value!);
    context.views.set(viewId, view);
  }
  return view;
}

/** The view a request is rendered through: the newest of its conversation that lies on its chain. */
export async function viewFor(context: Context, bound: Bound, chain: readonly string[]): Promise<View | undefined> {
  const head = applicableView(bound.views, chain);
  return head && loadView(context, head.viewId);
}

export function renderFor(context: Context, input: { intake: Intake; view?: View; pins: readonly PinRow[] }): Rendered {
  const { codec } = context;
  const { heads, raws } = input.intake;
  return renderRequest({ codec, heads, raws, view: input.view, pins: placesOf(codec, input) });
}

/** Reads the stamps of answers whose thinking is bound, where this process does not know them yet. */
export async function readStamps(context: Context, intake: Intake, sessionId: string): Promise<void> {
  const unknown = intake.heads.findIndex((head) => head.hasBoundThinking && head.viewId === undefined);
  const tip = intake.chain.at(-1);
  if (unknown < 0 || tip === undefined) return;
  const stored = await context.store.readEntries({ tenant: context.tenant, sessionId, tip, from: unknown });
  for (const entry of stored) {
    const head = intake.heads[entry.position];
    if (head) head.viewId ??= entry.viewId ?? '';
  }
}
