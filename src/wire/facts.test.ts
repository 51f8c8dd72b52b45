import { describe, expect, it } from 'vitest';
import type { Api } from '../core/transcript/entry.ts';
import type { RequestFacts } from './codec.ts';
import { codecFor, detectApi } from './index.ts';

const factsOf = (api: Api, body: object): RequestFacts => {
  const list = api === 'openai-responses' ? { input: [] } : { messages: [] };
  const codec = codecFor(api);
  return codec.requestFacts(codec.decodeBody(JSON.stringify({ ...list, ...body })));
};

describe('requestFacts', () => {
  it('reads model, output tokens and streaming', () => {
    expect(factsOf('anthropic', { model: 'claude', max_tokens: 10, stream: true })).toEqual({
      model: 'claude',
      maxOutputTokens: 10,
      isStream: true,
      toolNames: [],
    });
    expect(factsOf('openai-chat', { max_tokens: 10, max_completion_tokens: 20 }).maxOutputTokens).toBe(20);
    expect(factsOf('openai-chat', { max_tokens: 10 }).maxOutputTokens).toBe(10);
    expect(factsOf('openai-responses', { max_output_tokens: 30, stream: false })).toEqual({
      maxOutputTokens: 30,
      isStream: false,
      toolNames: [],
    });
    for (const odd of [0, -1, null, '5', {}])
      expect(factsOf('anthropic', { model: 7, max_tokens: odd })).toEqual({ isStream: false, toolNames: [] });
  });

  it('sees that a model is asked to reason', () => {
    const isReasoning = (api: Api, body: object) => factsOf(api, body).isReasoning;
    expect(isReasoning('anthropic', { thinking: { type: 'enabled', budget_tokens: 2_000 } })).toBe(true);
    expect(isReasoning('anthropic', { thinking: { type: 'adaptive' } })).toBe(true);
    expect(isReasoning('anthropic', { thinking: { type: 'disabled' } })).toBeUndefined();
    expect(isReasoning('openai-chat', { reasoning_effort: 'high' })).toBe(true);
    expect(isReasoning('openai-chat', { reasoning_effort: 'none' })).toBeUndefined();
    expect(isReasoning('openai-responses', { reasoning: { effort: 'low' } })).toBe(true);
    expect(isReasoning('openai-responses', { reasoning: { effort: null } })).toBeUndefined();
    expect(isReasoning('openai-chat', {})).toBeUndefined();
  });

  it('names every declared tool', () => {
    expect(
      factsOf('anthropic', { tools: [{ name: 'Read', input_schema: {} }, { type: 'mcp_toolset', mcp_server_name: 'linear' }, 7] })
        .toolNames,
    ).toEqual(['Read', 'linear']);
    const chat = [
      { type: 'function', function: { name: 'bash' } },
      { type: 'custom', custom: { name: 'patch' } },
      { type: 'odd', function: 1 },
    ];
    expect(factsOf('openai-chat', { tools: chat, functions: [{ name: 'old' }] }).toolNames).toEqual(['bash', 'patch', 'odd', 'old']);
    const responses = [
      { type: 'function', name: 'exec' },
      { type: 'web_search' },
      { type: 'namespace', name: 'apps', tools: [{ name: 'a' }] },
      { type: 'mcp', server_label: 's' },
    ];
    expect(factsOf('openai-responses', { tools: responses }).toolNames).toEqual(['exec', 'web_search', 'apps', 'a', 's']);
  });

  it.each<[Api, object, string | undefined]>([
    ['openai-responses', { previous_response_id: 'resp_1' }, 'previous_response_id'],
    ['openai-responses', { previous_response_id: null }, undefined],
    ['openai-responses', { conversation: { id: 'conv_1' } }, 'conversation'],
    ['openai-responses', { conversation: 'conv_1' }, 'conversation'],
    ['openai-responses', { input: [{ type: 'item_reference', id: 'rs_1' }] }, 'item_reference'],
    [
      'openai-responses',
      {
        input: [
          { role: 'user', content: 'say "item_reference"' },
          { role: 'user', content: 'item_reference' },
        ],
      },
      undefined,
    ],
    ['anthropic', { thread: { type: 'continue', previous_message_id: 'm' } }, 'thread'],
    ['openai-chat', { extra_body: { google: { cached_content: 'c' } } }, 'cached_content'],
    ['openai-chat', { store: true }, undefined],
  ])('%s %j leans on server state: %s', (api, body, state) => {
    expect(factsOf(api, body).serverState).toBe(state);
  });

  it.each<[Api, object, string | undefined]>([
    ['anthropic', { context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] } }, undefined],
    [
      'anthropic',
      { context_management: { edits: [{ type: 'clear_tool_uses_20250919' }, { type: 'compact_20260112' }] } },
      'compact_20260112',
    ],
    ['anthropic', { compaction: { type: 'summarize' } }, 'compaction'],
    ['openai-responses', { context_management: [{ type: 'compaction', compact_threshold: 1 }] }, 'compaction'],
    ['openai-responses', { context_management: null }, undefined],
    ['openai-chat', {}, undefined],
  ])('%s %j lets the provider compact: %s', (api, body, compaction) => {
    expect(factsOf(api, body).providerCompaction).toBe(compaction);
  });
});

describe('preamble', () => {
  const pieces = (api: Api, body: object): readonly (readonly [string, string])[] => {
    const codec = codecFor(api);
    return codec.preamble(codec.decodeBody(JSON.stringify(body))).map(({ name, text }) => [name, text]);
  };

  it('of Messages: tools, then system; a moved cache marker changes no text', () => {
    const tool = { name: 'Read', input_schema: { type: 'object' } };
    const plain = { tools: [tool], system: 'Rules\nMore', messages: [] };
    const marked = {
      tools: [{ ...tool, cache_control: { type: 'ephemeral' } }],
      system: [{ type: 'text', text: 'Rules\nMore', cache_control: {} }],
      messages: [],
    };
    expect(pieces('anthropic', plain)).toEqual([
      ['tool Read', JSON.stringify(tool)],
      ['system', 'Rules\nMore'],
    ]);
    expect(pieces('anthropic', marked)).toEqual(pieces('anthropic', plain));
    expect(pieces('anthropic', { messages: [{ role: 'system', content: 'x' }], system: null })).toEqual([]);
  });

  it('of Chat: the leading messages, numbered per role', () => {
    const messages = [
      { role: 'system', content: 'a' },
      { role: 'developer', content: [{ type: 'text', text: 'b' }] },
      { role: 'system', content: 'c' },
      { role: 'user', content: 'd' },
      { role: 'system', content: 'e' },
    ];
    expect(pieces('openai-chat', { messages })).toEqual([
      ['system', 'a'],
      ['developer', 'b'],
      ['system 2', 'c'],
    ]);
  });

  it('of Responses: instructions and leading items', () => {
    const input = [
      {
        type: 'message',
        role: 'developer',
        content: [
          { type: 'input_text', text: 'b' },
          { type: 'input_text', text: 'c' },
        ],
      },
    ];
    expect(pieces('openai-responses', { input, instructions: 'a', tools: [{ type: 'function', name: 'f' }] })).toEqual([
      ['tool f', '{"type":"function","name":"f"}'],
      ['instructions', 'a'],
      ['developer', 'b\n\nc'],
    ]);
    expect(pieces('openai-responses', { input: 'hi' })).toEqual([]);
  });
});

describe('the schema of an answer', () => {
  const names = (api: Api, body: object): readonly string[] => {
    const codec = codecFor(api);
    return codec.preamble(codec.decodeBody(JSON.stringify({ messages: [], input: [], ...body }))).map(({ name }) => name);
  };
  const format = { type: 'json_schema', schema: { type: 'object' } };

  it('is part of the preamble; effort and verbosity are not, they change from request to request', () => {
    expect(names('anthropic', { output_config: { effort: 'high', format } })).toEqual(['answer schema']);
    expect(names('anthropic', { output_config: { effort: 'high' } })).toEqual([]);
    expect(names('openai-chat', { response_format: format })).toEqual(['answer schema']);
    expect(names('openai-chat', { response_format: { type: 'text' } })).toEqual([]);
    expect(names('openai-responses', { text: { verbosity: 'low', format } })).toEqual(['answer schema']);
    expect(names('openai-responses', { text: { verbosity: 'low' } })).toEqual([]);
  });
});

describe('detectApi', () => {
  const user = { role: 'user', content: 'hi' };
  it.each<[object | string, Api | undefined]>([
    [{ model: 'claude-x', max_tokens: 1, messages: [user] }, 'anthropic'],
    [{ model: 'm', system: 's', messages: [user] }, 'anthropic'],
    [{ model: 'm', tools: [{ name: 'a', input_schema: {} }], messages: [user] }, 'anthropic'],
    [{ model: 'm', messages: [user, { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't' }] }] }, 'anthropic'],
    [{ model: 'm', messages: [user] }, 'openai-chat'],
    [{ model: 'claude-x', max_tokens: 1, stream_options: {}, messages: [user] }, 'openai-chat'],
    [{ model: 'claude-x', max_tokens: 1, messages: [{ role: 'system', content: 's' }, user] }, 'openai-chat'],
    [{ model: 'claude-x', max_tokens: 1, messages: [user, { role: 'assistant', content: null, tool_calls: [] }] }, 'openai-chat'],
    [{ model: 'm', input: 'hi' }, 'openai-responses'],
    [{ model: 'm', input: [user] }, 'openai-responses'],
    [{ model: 'm', input: ['embed', 'me'] }, undefined],
    [{ model: 'm', prompt: 'old completions' }, undefined],
    ['[]', undefined],
    ['not json', undefined],
    ['{"messages":[', undefined],
  ])('%j is %s', (body, api) => {
    expect(detectApi(typeof body === 'string' ? body : JSON.stringify(body))).toBe(api);
  });
});
