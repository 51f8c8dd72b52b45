// Which session a request belongs to: the order of names, what a key may look like, and how a conversation without a name is known again.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyOf, encodeAnswer, encodeAsk, encodeTurn, makeTurn } from '../../../test/support/conversation.ts';
import { seededRandom } from '../../../test/support/random.ts';
import type { Api } from '../../core/transcript/entry.ts';
import type { HeaderList } from './exchange.ts';
import { type KeyedRequest, sessionKeyOf } from './session-key.ts';

const APIS: readonly Api[] = ['anthropic', 'openai-chat', 'openai-responses'];
const UUID = '0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0';

function keyed(more: object = {}, headers: HeaderList = [], rest: Partial<KeyedRequest> = {}) {
  const api = rest.api ?? 'anthropic';
  const body = JSON.stringify({ ...bodyOf(api, encodeAsk(api, 'hi')), ...more });
  return sessionKeyOf({ api, headers, body, ...rest });
}

describe('the order of names', () => {
  const userId = (value: unknown) => ({ metadata: { user_id: value } });

  it.each([
    ['path', 'p', keyed({ prompt_cache_key: 'c' }, [['x-ullage-session', 'h']], { pathSession: 'p' })],
    [
      'header',
      'h',
      keyed(userId(JSON.stringify({ session_id: 's' })), [
        ['x-claude-code-session-id', 's'],
        ['x-ullage-session', 'h'],
      ]),
    ],
    [
      'client',
      'client:s1',
      keyed({ prompt_cache_key: 'c' }, [
        ['session-id', 's2'],
        ['x-claude-code-session-id', 's1'],
      ]),
    ],
    ['client', 'client:s', keyed(userId(JSON.stringify({ device_id: 'd', session_id: 's' })))],
    ['client', `client:${UUID}`, keyed(userId(`user_abc_account__session_${UUID}`))],
    ['client', 'client:t', keyed({ prompt_cache_key: 't' }, [['thread-id', 't']])],
    ['client', 'client:u', keyed({}, [['session_id', 'u']])],
    [
      'client',
      'client:ses_1',
      keyed({}, [
        ['x-session-affinity', 'ses_2'],
        ['x-session-id', 'ses_1'],
      ]),
    ],
    ['client', 'client:ses_2', keyed({}, [['x-session-affinity', 'ses_2']])],
    ['cache-key', 'cache:c', keyed({ prompt_cache_key: ' c ' }, [['session-id', ' ']])],
  ] as const)('%s: %s', (source, key, found) => {
    expect(found).toEqual({ key, source });
  });

  it.each([
    ['a name that is no text', userId(7)],
    ['JSON that is none', userId('{nope')],
    ['a user without a session', userId('user_abc')],
    ['an empty cache key', { prompt_cache_key: '' }],
  ])('%s is none', (_, more) => {
    expect(keyed(more)).toEqual(keyed());
    expect(keyed().source).toBe('chain');
  });
});

describe('keys', () => {
  it('are short, of one line, well-formed, and no credential is ever looked at', () => {
    const hostile = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.constantFrom('x'.repeat(100_000), 'a\nb', '\ud800', '  '));
    const credentials: HeaderList = [
      ['authorization', 'Bearer sk-secret'],
      ['x-api-key', 'sk-secret'],
      ['cookie', 'sk-secret'],
    ];
    fc.assert(
      fc.property(hostile, fc.constantFrom('path', 'header', 'client', 'cache'), (id, where) => {
        const header: HeaderList = where === 'header' ? [['x-ullage-session', id]] : where === 'client' ? [['session-id', id]] : [];
        const more = where === 'cache' ? { prompt_cache_key: id } : {};
        const { key } = keyed(more, [...credentials, ...header], where === 'path' ? { pathSession: id } : {});
        expect(key.length).toBeLessThanOrEqual(200);
        expect(key).not.toMatch(/\p{Cc}/u);
        expect(key.isWellFormed()).toBe(true);
        expect(key).not.toContain('sk-secret');
      }),
      { seed: 4, numRuns: 200 },
    );
  });

  it('differ where ids differ only behind the limit', () => {
    const long = (end: string) => keyed({}, [], { pathSession: 'x'.repeat(1_000) + end }).key;
    expect(long('a')).not.toBe(long('b'));
    expect(long('a')).toBe(long('a'));
  });

  it.each(['', '{', '[]', '{"messages":7}', '{"messages":["x"]}', new Uint8Array([0xff])])('of what cannot be read are one: %j', (body) => {
    expect(sessionKeyOf({ api: 'anthropic', headers: [], body })).toEqual({ key: 'auto:anthropic:unread', source: 'chain' });
  });
});

/** Sessions are stored under them: another key for the same beginning would lose what a session holds. */
describe('keys of conversations without a name', () => {
  const ONE = 'bee9e5a434da4a1c18685c5a8328d0d4da422c7f';
  const THREE = '1cc6c8f49aaa76d17059361186b6796ced99f9be';

  it.each(APIS)('stay what they are in %s (F25)', (api) => {
    const messages = [...encodeAsk(api, 'a'), ...encodeAnswer(api, 'yes'), ...encodeAsk(api, 'and?'), ...encodeAnswer(api, 'no')];
    const keys = [1, 3, 4].map((count) => {
      const body = JSON.stringify(bodyOf(api, messages.slice(0, count)), undefined, count);
      return [body, new TextEncoder().encode(body)].map((given) => sessionKeyOf({ api, headers: [], body: given }).key);
    });
    expect(keys).toEqual([ONE, THREE, THREE].map((hash) => [`auto:${api}:${hash}`, `auto:${api}:${hash}`]));
  });
});

describe.each(APIS)('a conversation without a name in %s', (api) => {
  const keyOf = (messages: readonly object[], more: object = {}) =>
    sessionKeyOf({ api, headers: [], body: JSON.stringify({ ...bodyOf(api, messages), ...more }) }).key;

  it('keeps its key from its second turn on, or its fourth entry, whatever follows (F25)', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 1, max: 5 }), (seed, turns) => {
        const random = seededRandom(seed);
        const messages = Array.from({ length: turns + 1 }, (_, turn) =>
          encodeTurn(api, makeTurn(random, turn, { steps: random.int(0, 3), resultWords: 5 })),
        ).flat();
        const genuine = messages.flatMap((message, index) =>
          'role' in message && message.role === 'user' && JSON.stringify(message).includes('Ask ') ? [index] : [],
        );
        const first = Math.min(genuine[1] ?? messages.length - 1, 3);
        const keys = new Set(messages.slice(first).map((_, index) => keyOf(messages.slice(0, first + 1 + index))));
        expect(keys.size).toBe(1);
      }),
      { seed: 5, numRuns: 60 },
    );
  });

  it('is another one when its beginning differs, and the same under another preamble, date or cache marker', () => {
    const turns = (first: string) => [...encodeAsk(api, first), ...encodeAnswer(api, 'yes'), ...encodeAsk(api, 'and?')];
    expect(keyOf(turns('a'))).not.toBe(keyOf(turns('b')));
    const preamble = api === 'openai-responses' ? { instructions: 'Today is Tuesday.' } : { system: 'Today is Tuesday.' };
    expect(keyOf(turns('a'), preamble)).toBe(keyOf(turns('a')));
    expect(keyOf(turns('a'))).toMatch(new RegExp(`^auto:${api}:[0-9a-f]{40}$`));
  });

  it('costs the same for a long history as for a short one, but for the scan (a lone letter a million times)', () => {
    const beginning = [...encodeAsk(api, 'a'), ...encodeAnswer(api, 'yes'), ...encodeAsk(api, 'and?')];
    expect(keyOf([...beginning, ...encodeAnswer(api, 'x'.repeat(1_000_000))])).toBe(keyOf(beginning));
  });
});
