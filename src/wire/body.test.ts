import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rawObject, rawString, rawValue, SEED, spaces } from '../../test/wire/raw-json.ts';
import { UllageError } from '../core/errors.ts';
import { APIS, type Api } from '../core/transcript/entry.ts';
import { codecFor, messageTexts } from './index.ts';

const KEY: Readonly<Record<Api, string>> = { anthropic: '"messages"', 'openai-chat': '"messages"', 'openai-responses': '"input"' };

const message = fc
  .tuple(fc.constantFrom('"user"', '"assistant"', '"system"', '"developer"', '"tool"', '7'), rawValue, rawValue, spaces)
  .map(([role, content, extra, gaps]) =>
    rawObject(
      [
        ['"x_unknown"', extra],
        ['"role"', role],
        ['"content"', content],
      ],
      gaps,
    ),
  );

const memberName = fc.constantFrom('"model"', '"tools"', '"system"', '"metadata"', '"__proto__"', '"caf\\u00e9"');

/** A whole request body of odd JSON, its messages somewhere among its members. */
const bodyOf = (api: Api): fc.Arbitrary<{ text: string; messages: readonly string[] }> =>
  fc
    .tuple(fc.array(message, { maxLength: 6 }), fc.array(fc.tuple(memberName, rawValue), { maxLength: 4 }), fc.nat(4), spaces)
    .map(([messages, members, at, gaps]) => {
      const list = `[${gaps[0]}${messages.join(`${gaps.at(-1)},${gaps[0]}`)}]`;
      const all = [...members.slice(0, at), [KEY[api], list] as const, ...members.slice(at)];
      return { text: `${gaps[0]}${rawObject(all, gaps)}\n`, messages };
    });

const codeOf = (run: () => unknown): string | undefined => {
  try {
    run();
    return undefined;
  } catch (error) {
    return UllageError.is(error) ? error.code : 'other';
  }
};

describe.each(APIS)('%s: a body of odd JSON', (api) => {
  const codec = codecFor(api);

  it('is cut into exactly its messages, and put together again byte for byte', () => {
    fc.assert(
      fc.property(bodyOf(api), ({ text, messages }) => {
        const body = codec.decodeBody(text);
        expect(messageTexts(body)).toEqual(messages);
        expect(codec.spliceMessages(body, messages.slice(body.preambleCount))).toBe(text);
      }),
      SEED,
    );
  });

  it('keeps every byte outside the messages when those are replaced, and its preamble', () => {
    const change = fc.record({ from: fc.nat(6), to: fc.nat(6), incoming: fc.array(message, { maxLength: 4 }) });
    fc.assert(
      fc.property(bodyOf(api), change, ({ text, messages }, { from, to, incoming }) => {
        const body = codec.decodeBody(text);
        const old = messages.slice(body.preambleCount);
        const wanted = [...old.slice(0, from), ...incoming, ...old.slice(Math.max(from, to))];
        const result = codec.spliceMessages(body, wanted);
        const after = codec.decodeBody(result);
        expect(messageTexts(after).slice(body.preambleCount)).toEqual(wanted);
        expect(messageTexts(after).slice(0, body.preambleCount)).toEqual(messages.slice(0, body.preambleCount));
        expect(result.slice(0, after.messagesSpan.start)).toBe(text.slice(0, body.messagesSpan.start));
        expect(result.slice(after.messagesSpan.end)).toBe(text.slice(body.messagesSpan.end));
      }),
      SEED,
    );
  });

  it('takes the last of repeated members, as JSON.parse does', () => {
    const key = KEY[api];
    const body = codec.decodeBody(
      `{${key}:[{"role":"user","content":"first"}],"model":"a","model":"b",${key}:[{"role":"user","content":"last"}]}`,
    );
    expect(messageTexts(body)).toEqual(['{"role":"user","content":"last"}']);
    expect(codec.requestFacts(body).model).toBe('b');
  });

  it.each([
    '',
    '[]',
    '"text"',
    '{}',
    '{"messages":null,"input":null}',
    '{"messages":[1],"input":[1]}',
    '{"messages":[{}]}{"input":[{}]}',
    '{"messages":[{}],"input":[{}]',
  ])('refuses %j with transcript_invalid', (text) => {
    expect(codeOf(() => codec.decodeBody(text))).toBe('transcript_invalid');
  });

  it('names the message that is no object', () => {
    const key = KEY[api];
    expect(() => codec.decodeBody(`{${key}:[{},\n[]]}`)).toThrow(
      new RegExp(`${key.slice(1, -1)}\\.1 must be an object \\(offset \\d+, line 2\\)`),
    );
  });
});

describe('leading system and developer messages', () => {
  const texts = [
    '{"role":"system","content":"a"}',
    '{"content":"b","role":"developer"}',
    '{"role":"user","content":"c"}',
    '{"role":"system","content":"d"}',
  ];

  it('belong to the preamble in the OpenAI formats only', () => {
    expect(codecFor('openai-chat').decodeBody(`{"messages":[${texts.join(',')}]}`).preambleCount).toBe(2);
    expect(codecFor('openai-responses').decodeBody(`{"input":[${texts.join(',')}]}`).preambleCount).toBe(2);
    expect(codecFor('anthropic').decodeBody(`{"messages":[${texts.join(',')}]}`).preambleCount).toBe(0);
  });

  it('stay when the messages behind them are replaced', () => {
    const chat = codecFor('openai-chat');
    const text = `{"messages": [ ${texts.join(' , ')} ], "model":"m"}`;
    expect(chat.spliceMessages(chat.decodeBody(text), ['{"role":"user","content":"new"}'])).toBe(
      `{"messages": [ ${texts[0]} , ${texts[1]} , {"role":"user","content":"new"} ], "model":"m"}`,
    );
  });
});

describe('a Responses input that is a plain string', () => {
  const codec = codecFor('openai-responses');

  it('is one user message, and stays a string while nothing changes', () => {
    fc.assert(
      fc.property(rawString, (input) => {
        const text = `{"model":"m", "input": ${input} ,"stream":true}`;
        const body = codec.decodeBody(text);
        const [raw] = messageTexts(body);
        expect(raw).toBe(`{"role":"user","content":${input}}`);
        expect(codec.spliceMessages(body, [raw!])).toBe(text);
        expect(codec.spliceMessages(body, [input])).toBe(text);
        expect(codec.canonicalMessage(input)).toBe(codec.canonicalMessage(raw!));
      }),
      SEED,
    );
  });

  it('becomes an array when messages are added', () => {
    const body = codec.decodeBody('{"model":"m","input":"hi"}');
    expect(codec.spliceMessages(body, ['"hi"', '{"role":"user","content":"more"}'])).toBe(
      '{"model":"m","input":[{"role":"user","content":"hi"},{"role":"user","content":"more"}]}',
    );
    expect(codec.decodeMessage('"hi"')).toEqual({
      role: 'user',
      parts: [{ kind: 'text', text: 'hi' }],
      raw: '{"role":"user","content":"hi"}',
    });
  });
});

describe('spliceMessages', () => {
  const codec = codecFor('anthropic');
  const text = '{"messages":[\n  {"n":0},\n  {"n":1} ,\n  {"n":2},   {"n":3}\n]}';

  it('keeps the white space between neighbours that stay, in front of and behind what is replaced', () => {
    const splice = (messages: string[]): string => codec.spliceMessages(codec.decodeBody(text), messages);
    expect(splice(['{"n":0}', '{"s":1}', '{"n":2}', '{"n":3}'])).toBe(text.replace('{"n":1}', '{"s":1}'));
    expect(splice(['{"s":9}', '{"n":2}', '{"n":3}'])).toBe('{"messages":[\n  {"s":9} ,\n  {"n":2},   {"n":3}\n]}');
    expect(splice(['{"n":0}', '{"n":1}', '{"n":2}', '{"n":3}', '{"n":4}'])).toBe(text.replace('{"n":3}', '{"n":3},\n  {"n":4}'));
  });
});
