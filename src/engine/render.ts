// What is sent: the committed view's bytes, then the live part as it came, repaired where a call or result has no partner.
// A function of (request, view, pins): the same input gives the same bytes, in every process.

import type { WireCodec } from '../core/codec.ts';
import type { PartEdit } from '../core/plan/edit.ts';
import type { View } from '../core/plan/view.ts';
import { estimateMessage } from '../core/size/estimator.ts';
import type { Api } from '../core/transcript/entry.ts';
import { type AddedResults, planRepairs, type Repairs, resultContents } from '../core/transcript/repair.ts';
import { dropBoundThinking } from '../core/transcript/thinking.ts';
import { entriesOf, type Head } from './intake.ts';
import { type PinPlace, stampOf } from './stamp.ts';

export interface RenderInput {
  readonly codec: WireCodec;
  readonly heads: readonly Head[];
  readonly raws: readonly string[];
  readonly view?: View;
  /** Pins that are not in the view's summary, each with its place. */
  readonly pins: readonly PinPlace[];
}

export interface RenderedMessage {
  readonly raw: string;
  /** Uncalibrated estimate, tokens. */
  readonly tokens: number;
  /** Position of the entry it renders; undefined for a summary or an added result. */
  readonly position?: number;
}

export interface Rendered {
  readonly messages: readonly RenderedMessage[];
  /** Uncalibrated estimate of all messages, tokens. */
  readonly tokens: number;
  /** Entries that are not sent as they came. */
  readonly changed: number;
  /** Entries that are left out, with the reason. */
  readonly omitted: readonly { readonly position: number; readonly reason: string }[];
  /** Of the answer to this request. */
  readonly stamp: string;
}

export function renderRequest(input: RenderInput): Rendered {
  const body = input.view?.body;
  const from = body?.fold ? body.fold.to + 1 : 0;
  const repairs = repairsOf(input, from);
  const edits = liveEdits(input, repairs);
  const replaced = new Map(body?.replacements.map((replacement) => [replacement.position, replacement]));
  const added = new Map(repairs.results.map((results) => [results.afterPosition, results]));
  const messages: RenderedMessage[] = [];
  const omitted: { position: number; reason: string }[] = [];
  let changed = from;
  const pins = pinsByPlace(input.pins);
  // A summary that stands by itself carries pins when no live message can.
  const summary = body?.fold?.raw === undefined ? undefined : { raw: body.fold.raw, tokens: body.fold.tokens };
  if (summary) messages.push(withPins(input.codec, summary, pins.get(from - 1)) ?? summary);
  for (let position = from; position < input.heads.length; position++) {
    const message = renderEntry(input, { position, replacement: replaced.get(position), edits: edits.get(position) });
    const sent = withPins(input.codec, message, pins.get(position));
    if (sent?.raw !== input.raws[position]) changed++;
    if (message.raw === '') omitted.push({ position, reason: omissionReason(repairs, position) });
    if (sent) messages.push(sent);
    const results = added.get(position);
    if (results) messages.push(...encodeAdded(input.codec, results));
  }
  let tokens = 0;
  for (const message of messages) tokens += message.tokens;
  return { messages, tokens, changed, omitted, stamp: stampOf(input.view?.viewId ?? '', input.pins, input.heads.length) };
}

function pinsByPlace(pins: readonly PinPlace[]): ReadonlyMap<number, readonly PinPlace[]> {
  const byPlace = new Map<number, PinPlace[]>();
  for (const pin of pins) byPlace.set(pin.position, [...(byPlace.get(pin.position) ?? []), pin]);
  return byPlace;
}

/** Pins behind what the message says; where it is left out, they are a message of their own. undefined = nothing is sent. */
function withPins(codec: WireCodec, message: RenderedMessage, pins: readonly PinPlace[] = []): RenderedMessage | undefined {
  const { raw, position } = message;
  if (pins.length === 0) return raw === '' ? undefined : message;
  const texts = pins.map(({ text }) => `[Pinned by the user] ${text}`);
  const pinned = raw === '' ? codec.encodeUserMessage(texts.join('\n\n')) : codec.editMessage(raw, texts.map(appended));
  return { raw: pinned, tokens: estimateMessage(codec.decodeMessage(pinned)), position: raw === '' ? undefined : position };
}

function appended(text: string): PartEdit {
  return { kind: 'append-text', text };
}

interface EntryRender {
  readonly position: number;
  readonly replacement?: { readonly raw: string; readonly tokens: number };
  readonly edits?: readonly PartEdit[];
}

function renderEntry(input: RenderInput, { position, replacement, edits }: EntryRender): RenderedMessage {
  const raw = replacement ? withCallersMarkers(input, position, replacement.raw) : input.raws[position]!;
  const tokens = replacement ? replacement.tokens : input.heads[position]!.tokens;
  if (edits === undefined || raw === '') return { raw, tokens, position };
  const edited = input.codec.editMessage(raw, edits);
  return { raw: edited, tokens: edited === '' ? 0 : estimateMessage(input.codec.decodeMessage(edited)), position };
}

/** A client moves its cache markers from turn to turn: a message of ours has one exactly when the caller's own has one now. */
function withCallersMarkers(input: RenderInput, position: number, raw: string): string {
  return raw === '' ? raw : input.codec.withMarkersOf(raw, input.raws[position]!);
}

/** Bound thinking of other views, and orphans, as edits by position. Replaced entries lost their thinking when the view was made. */
function liveEdits(input: RenderInput, repairs: Repairs): ReadonlyMap<number, readonly PartEdit[]> {
  const edits = new Map<number, PartEdit[]>();
  const add = (position: number, edit: readonly PartEdit[]) => edits.set(position, [...(edits.get(position) ?? []), ...edit]);
  const replaced = new Set(input.view?.body.replacements.map((replacement) => replacement.position));
  const from = input.view?.body.fold ? input.view.body.fold.to + 1 : 0;
  const current = input.view?.viewId ?? '';
  input.heads.forEach((head, position) => {
    if (position < from || replaced.has(position) || !head.hasBoundThinking) return;
    if ((head.viewId ?? '') === stampOf(current, input.pins, position)) return;
    add(position, dropBoundThinking(input.codec.decodeMessage(input.raws[position]!)));
  });
  for (const { position, part } of repairs.dropped) {
    if (!replaced.has(position)) add(position, [{ kind: 'drop', part }]);
  }
  return edits;
}

const NO_REPAIRS: Repairs = { results: [], dropped: [] };

/** Repairs are looked for only where the cheap check sees a call or result out of place. */
function repairsOf(input: RenderInput, from: number): Repairs {
  if (isWellPaired(input.codec.api, input.heads, from)) return NO_REPAIRS;
  const entries = entriesOf(input.codec, input.heads, input.raws).slice(from);
  return planRepairs(entries, { api: input.codec.api });
}

/** Every call is answered by the very next messages, nothing is answered twice or for nothing. False may be a false alarm. */
export function isWellPaired(api: Api, heads: readonly Head[], from: number): boolean {
  const open = new Set<string>();
  const seen = new Set<string>();
  for (let index = from; index < heads.length; index++) {
    const head = heads[index]!;
    const isCallRun = api === 'openai-responses' && head.callIds.length > 0;
    if (head.hasNamelessCall || (open.size > 0 && head.resultIds.length === 0 && !isCallRun)) return false;
    for (const id of head.resultIds) if (!open.delete(id)) return false;
    if (api === 'anthropic' && open.size > 0) return false;
    for (const id of head.callIds) {
      if (seen.has(id)) return false;
      seen.add(id);
      open.add(id);
    }
  }
  return open.size === 0;
}

function encodeAdded(codec: WireCodec, added: AddedResults): readonly RenderedMessage[] {
  return codec.encodeResults(resultContents(added)).map((raw) => ({ raw, tokens: estimateMessage(codec.decodeMessage(raw)) }));
}

function omissionReason(repairs: Repairs, position: number): string {
  return repairs.dropped.find((dropped) => dropped.position === position)?.reason ?? 'nothing_left';
}
