// Asks a chat upstream to report usage at the end of a stream, by splicing one member into the request's text.
import { scanMembers } from '../../wire/json/members.ts';
import { skipSpace } from '../../wire/json/scan.ts';
import { spliceText } from '../../wire/json/splice.ts';

const ASK = '"include_usage":true';

const STREAM = '"stream"';

/**
 * Whether the request asks for a stream. Quotes inside a string are escaped, so what is found is a member, but it may be one of a message: then an
 * answer without a type is only passed on as it comes. Native searches: the text may be megabytes.
 */
export function asksForStream(text: string): boolean {
  for (let at = text.indexOf(STREAM); at >= 0; at = text.indexOf(STREAM, at + STREAM.length)) {
    const colon = skipSpace(text, at + STREAM.length);
    if (text[colon] === ':' && text.startsWith('true', skipSpace(text, colon + 1))) return true;
  }
  return false;
}

/** The text with `stream_options.include_usage`, or undefined when it does not stream, asks already, or holds something unknown there. */
export function withUsageAsked(text: string): string | undefined {
  const members = membersOf(text);
  const stream = members?.get('stream');
  if (!members || stream === undefined || text.slice(stream.start, stream.end) !== 'true') return undefined;
  const options = members.get('stream_options');
  if (options === undefined) return insert(text, stream.end, `,"stream_options":{${ASK}}`);
  const value = text.slice(options.start, options.end);
  if (value === 'null') return spliceText(text, [{ ...options, text: `{${ASK}}` }]);
  return value.startsWith('{') ? asked(text, options.start) : undefined;
}

/** The places of the top-level members; undefined when the text is not an object. */
function membersOf(text: string): ReturnType<typeof scanMembers> | undefined {
  try {
    return scanMembers(text, skipSpace(text, 0));
  } catch {
    return undefined;
  }
}

function asked(text: string, optionsStart: number): string | undefined {
  const options = scanMembers(text, optionsStart);
  const known = options.get('include_usage');
  if (known === undefined) return insert(text, optionsStart + 1, options.size === 0 ? ASK : `${ASK},`);
  // Lenient servers take 1 and "true" as asked.
  return /^(?:false|null)$/.test(text.slice(known.start, known.end)) ? spliceText(text, [{ ...known, text: 'true' }]) : undefined;
}

function insert(text: string, place: number, added: string): string {
  return spliceText(text, [{ start: place, end: place, text: added }]);
}

/** The upstream refuses the member itself: an unknown or forbidden parameter. */
export function refusesUsage(status: number, body: unknown): boolean {
  if (status !== 400 && status !== 422) return false;
  const said = typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
  return /stream_options|include_usage/.test(said.slice(0, 10_000));
}
