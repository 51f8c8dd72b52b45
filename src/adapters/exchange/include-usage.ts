// Asks a chat upstream to report usage at the end of a stream: one member more in the request's bytes.
import type { Span } from '../../core/codec.ts';
import { scanMembers } from '../../wire/json/members.ts';
import type { Change } from '../../wire/json/splice.ts';

const ASK = '"include_usage":true';

/** A request's text, its bytes, and the places of its top-level members. */
export interface PlacedBody {
  readonly body: Uint8Array;
  readonly text: string;
  readonly members: ReadonlyMap<string, Span>;
}

export function asksForStream({ text, members }: PlacedBody): boolean {
  const stream = members.get('stream');
  return stream !== undefined && text.slice(stream.start, stream.end) === 'true';
}

/** A streaming request's bytes with `stream_options.include_usage`, or undefined when it asks already, or holds something unknown there. */
export function withUsageAsked(request: PlacedBody): Uint8Array | undefined {
  const { text, members } = request;
  const change = usageChange(text, members);
  return change && splicedBytes(request, change);
}

function usageChange(text: string, members: PlacedBody['members']): Change | undefined {
  const options = members.get('stream_options');
  if (options === undefined) return insertion(members.get('stream')!.end, `,"stream_options":{${ASK}}`);
  const value = text.slice(options.start, options.end);
  if (value === 'null') return { ...options, text: `{${ASK}}` };
  return value.startsWith('{') ? optionsChange(text, options.start) : undefined;
}

function optionsChange(text: string, optionsStart: number): Change | undefined {
  const options = scanMembers(text, optionsStart);
  const known = options.get('include_usage');
  if (known === undefined) return insertion(optionsStart + 1, options.size === 0 ? ASK : `${ASK},`);
  // Lenient servers take 1 and "true" as asked.
  return /^(?:false|null)$/.test(text.slice(known.start, known.end)) ? { ...known, text: 'true' } : undefined;
}

function insertion(place: number, text: string): Change {
  return { start: place, end: place, text };
}

/** Megabytes are not encoded anew for one member: only the shorter side of it is measured. */
function splicedBytes({ body, text }: PlacedBody, { start, end, text: added }: Change): Uint8Array {
  const isNearEnd = text.length - start < start;
  const before = isNearEnd ? body.length - Buffer.byteLength(text.slice(start)) : Buffer.byteLength(text.slice(0, start));
  const behind = before + Buffer.byteLength(text.slice(start, end));
  return Buffer.concat([body.subarray(0, before), Buffer.from(added), body.subarray(behind)]);
}

/** The upstream refuses the member itself: an unknown or forbidden parameter. */
export function refusesUsage(status: number, body: unknown): boolean {
  if (status !== 400 && status !== 422) return false;
  const said = typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
  return /stream_options|include_usage/.test(said.slice(0, 10_000));
}
