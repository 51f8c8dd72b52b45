// Builders of entries for tests: short spellings of messages, and random transcripts with every kind of damage.
import fc from 'fast-check';
import type {
  CallPart,
  Entry,
  MediaPart,
  Message,
  OpaquePart,
  Part,
  ResultPart,
  Role,
  TextPart,
  ThinkingPart,
} from '../../src/core/transcript/entry.ts';

export const text = (value: string): TextPart => ({ kind: 'text', text: value });
export const call = (id: string, name = 'read', argumentsText = '{}'): CallPart => ({ kind: 'call', id, name, argumentsText });
export const result = (callId: string, value = 'done'): ResultPart => ({ kind: 'result', callId, text: value, media: [] });
export const thinking = (isBound = true): ThinkingPart => ({ kind: 'thinking', text: 'thought', isBound, opaqueChars: 40 });
export const opaque = (type = 'item_reference'): OpaquePart => ({ kind: 'opaque', type, sizeChars: 50 });
export const image = (): MediaPart => ({ kind: 'media', mediaKind: 'image', sizeBytes: 1_000 });

export const message = (role: Role, ...parts: Part[]): Message => ({ role, parts, raw: JSON.stringify({ role, parts }) });
export const user = (...parts: (Part | string)[]): Message => message('user', ...parts.map(partOf));
export const assistant = (...parts: (Part | string)[]): Message => message('assistant', ...parts.map(partOf));
export const tool = (...parts: Part[]): Message => message('tool', ...parts);
export const system = (value: string): Message => message('system', text(value));

function partOf(part: Part | string): Part {
  return typeof part === 'string' ? text(part) : part;
}

/** Entries with made-up identities, numbered from `firstPosition`. */
export function entries(messages: readonly Message[], firstPosition = 0): readonly Entry[] {
  return messages.map((each, index) => ({
    position: firstPosition + index,
    fingerprint: `f${firstPosition + index}`,
    chain: `${firstPosition + index}`.padStart(12, '0'),
    message: each,
    tokens: Math.ceil(each.raw.length / 4),
  }));
}

const anyId = fc.constantFrom('a', 'b', 'c', ' a', 'b ', 'call_1', 'call_2', '');

/** Messages of every shape: parallel and interleaved calls, results without calls, twice, late, with text, nameless calls. */
export const anyMessage: fc.Arbitrary<Message> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('go on', 'never push', ' ').map((value) => user(value)) },
  { weight: 1, arbitrary: fc.constant(user('<system-reminder>be good</system-reminder>')) },
  {
    weight: 6,
    arbitrary: fc
      .array(
        fc.oneof(
          anyId.map((id) => call(id)),
          fc.constant(text('let me see')),
          fc.constant(thinking()),
          fc.constant(call('x', '')),
        ),
        { minLength: 1, maxLength: 4 },
      )
      .map((parts) => assistant(...parts)),
  },
  {
    weight: 6,
    arbitrary: fc
      .array(
        anyId.map((id) => result(id)),
        { minLength: 1, maxLength: 3 },
      )
      .map((parts) => tool(...parts)),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(anyId, fc.constantFrom('and stop', '')).map(([id, value]) => user(result(id), ...(value === '' ? [] : [value]))),
  },
  { weight: 1, arbitrary: fc.constant(system('date: today')) },
  { weight: 1, arbitrary: fc.constant(message('assistant', opaque())) },
  { weight: 1, arbitrary: fc.constant(message('tool', opaque('computer_call_output'))) },
);

export const anyTranscript: fc.Arbitrary<readonly Entry[]> = fc.array(anyMessage, { maxLength: 40 }).map((messages) => entries(messages));
