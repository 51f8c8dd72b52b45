import { describe, expect, it } from 'vitest';
import { assistant, call, entries, image, result, text, tool, user } from '../../../test/support/entries.ts';
import { type PrefixCase, prefixRefusal } from './prefix.ts';

const SECRET = ['sk', 'ant', 'api03', 'Ab3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA'].join('-');
const GOOD: PrefixCase = {
  api: 'openai-chat',
  model: 'm',
  usesPrefix: { api: 'openai-chat', model: 'm' },
  entries: entries([user('look'), assistant(text('yes'), call('a')), tool(result('a', 'found'))]),
  body: '{"messages":[]}',
  hasTools: true,
  tokens: 50_000,
  windowTokens: 100_000,
  plainTokens: 30_000,
  idleMs: 5_000,
};

const ANTHROPIC = { api: 'anthropic', usesPrefix: { api: 'anthropic', model: 'm' }, hasTools: false } as const;

const COMPACT = {
  api: 'anthropic',
  usesPrefix: { api: 'anthropic', model: 'm', isOnly: true },
  hasTools: true,
  body: '{"messages":[],"cache_control":{}}',
} as const;
const edited = (edit: object): string => JSON.stringify({ messages: [], cache_control: {}, context_management: { edits: [edit] } });

describe('prefixRefusal', () => {
  it.each<[string, Partial<PrefixCase>, string | undefined]>([
    ['warm, fitting, cheaper', {}, undefined],
    ['another model', { model: 'n' }, 'other_model'],
    ['another API', { usesPrefix: { api: 'anthropic', model: 'm' } }, 'other_model'],
    ['never sent', { idleMs: undefined }, 'cold'],
    ['sent long ago', { idleMs: 271_000 }, 'cold'],
    ['a clock that stepped back', { idleMs: -1 }, 'cold'],
    ['over the window', { tokens: 100_001 }, 'too_large'],
    ['plain text is short', { plainTokens: 12_500 }, 'not_cheaper'],
    ['tools, with Anthropic', { ...ANTHROPIC, hasTools: true, body: '{"cache_control":{}}' }, 'tools'],
    ['no tools, with Anthropic', { ...ANTHROPIC, body: '{"system":[{"cache_control":{}}],"messages":[]}' }, undefined],
    ['no tools and no marker, with Anthropic', ANTHROPIC, 'cold'],
    ['servers of tools, with Anthropic', { ...ANTHROPIC, body: '{"cache_control":{},"mcp_servers":[{}]}' }, 'tools'],
    ['functions of the old form', { body: '{"functions":[{}]}' }, 'tools'],
    ['a search of the provider', { body: '{"web_search_options":{}}' }, 'tools'],
    ['JSON by a schema', { body: '{"response_format":{"type":"json_schema"}}' }, 'format'],
    ['JSON by a schema, in the other form', { body: '{"text":{"format":{"type":"json_object"}}}' }, 'format'],
    ['sound', { body: '{"modalities":["text","audio"]}' }, 'format'],
    ['plain text, as it says', { body: '{"text":{"format":{"type":"text"}},"response_format":null,"modalities":["text"]}' }, undefined],
    ['compaction by the provider, whatever plain text has', { ...COMPACT, plainTokens: 10 }, undefined],
    ['compaction by the provider, tools that it runs', { ...COMPACT, body: '{"mcp_servers":[],"cache_control":{}}' }, 'tools'],
    [
      'compaction by the provider, edits that keep all',
      { ...COMPACT, body: edited({ type: 'clear_thinking_20251015', keep: 'all' }) },
      undefined,
    ],
    ['compaction by the provider, edits of thinking', { ...COMPACT, body: edited({ type: 'clear_thinking_20251015' }) }, 'format'],
    [
      'compaction by the provider, edits of results',
      { ...COMPACT, body: edited({ type: 'clear_tool_uses_20250919', keep: 'all' }) },
      'format',
    ],
    ['a picture', { entries: entries([user('look', image())]) }, 'media'],
    ['an opaque item', { entries: entries([assistant({ kind: 'opaque', type: 'compaction', sizeChars: 9 })]) }, 'opaque'],
    ['a secret', { body: `{"messages":["${SECRET}"]}` }, 'secrets'],
  ])('%s: %o', (_, change, expected) => {
    expect(prefixRefusal({ ...GOOD, ...change })).toBe(expected);
  });
});
