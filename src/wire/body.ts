// Cuts a request body into places and puts messages back. Messages are found, not parsed; what is not replaced keeps its bytes.
import { UllageError } from '../core/errors.ts';
import type { Api } from '../core/transcript/entry.ts';
import type { RequestBody, Span } from './codec.ts';
import { jsonDamage, shapeDamage } from './json/damage.ts';
import { scanElements, scanMembers, visitMembers } from './json/members.ts';
import { skipSpace, skipValue } from './json/scan.ts';

export interface BodyShape {
  readonly api: Api;
  /** Names the member that holds the messages. */
  readonly key: 'messages' | 'input';
}

/** The messages and all other members of a body, by place. What it shares with the body before it, byte for byte, is not scanned again. */
export function cutBody({ api, key }: BodyShape, text: string, previous?: RequestBody): RequestBody {
  const shared = sharedMessages(previous, text);
  const members = new Map<string, Span>();
  let found: { readonly span: Span; readonly elements: readonly Span[] } | undefined;
  const start = skipSpace(text, 0);
  const end = visitMembers(text, start, (name, valueStart) => {
    if (name !== key) {
      const valueEnd = skipValue(text, valueStart);
      members.set(name, { start: valueStart, end: valueEnd });
      return valueEnd;
    }
    if (text[valueStart] !== '[') {
      const span = { start: valueStart, end: skipValue(text, valueStart) };
      found = { span, elements: [span] };
      return span.end;
    }
    const list = scanElements(text, valueStart, shared.length > 0 && previous?.messagesSpan.start === valueStart ? shared : []);
    found = { span: { start: valueStart, end: list.end }, elements: list.elements };
    return list.end;
  });
  const rest = skipSpace(text, end);
  if (rest < text.length) throw jsonDamage(text, rest, 'the end of the body');
  if (found === undefined)
    throw new UllageError('transcript_invalid', `The body has no "${key}": it is no ${api} request. Send its "${key}".`);
  const { span, elements } = found;
  checkMessages(text, { key, span, elements });
  const sharedCount = previous?.messagesSpan.start === span.start ? shared.length : 0;
  const isPreambleShared = previous !== undefined && previous.preambleCount < sharedCount;
  const preambleCount = isPreambleShared ? previous.preambleCount : leadingInstructions(api, text, elements);
  return { api, text, messages: elements, preambleCount, messagesSpan: span, members, sharedCount };
}

/** All messages of the body before, when this one begins with the very same bytes up to the end of the last of them. */
function sharedMessages(previous: RequestBody | undefined, text: string): readonly Span[] {
  const last = previous?.messages.at(-1);
  if (!last || previous?.text[previous.messagesSpan.start] !== '[') return [];
  // Slices compare as memory; startsWith goes letter by letter.
  return text.slice(0, last.end) === previous.text.slice(0, last.end) ? previous.messages : [];
}

function checkMessages(text: string, list: { key: 'messages' | 'input'; span: Span; elements: readonly Span[] }): void {
  const { key, span, elements } = list;
  const mark = text[span.start];
  if (mark === '"' && key === 'input') return;
  if (mark !== '[') throw shapeDamage(text, span.start, `"${key}" must be an array of messages${key === 'input' ? ' or a string' : ''}`);
  const wrong = elements.findIndex((element) => text[element.start] !== '{');
  if (wrong >= 0) throw shapeDamage(text, elements[wrong]!.start, `${key}.${wrong} must be an object`);
}

/** OpenAI formats carry their instructions as the first messages. */
function leadingInstructions(api: Api, text: string, messages: readonly Span[]): number {
  if (api === 'anthropic') return 0;
  const end = messages.findIndex((message) => !isInstruction(text, message));
  return end < 0 ? messages.length : end;
}

export function isInstruction(text: string, message: Span): boolean {
  if (text[message.start] !== '{') return false;
  const role = scanMembers(text, message.start).get('role');
  const value = role && text.slice(role.start, role.end);
  return value === '"system"' || value === '"developer"';
}

/** Each message of a body as the JSON text of an object; a plain-string input as the user message it stands for. */
export function messageTexts(body: RequestBody): readonly string[] {
  return body.messages.map(({ start, end }) => messageText(body.text.slice(start, end)));
}

/** A JSON string is the shorthand of one user message; anything else is returned as it is. */
export function messageText(raw: string): string {
  return raw.startsWith('"') ? `{"role":"user","content":${raw}}` : raw;
}
