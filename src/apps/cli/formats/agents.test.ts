import { describe, expect, test } from 'vitest';
import { readTranscript } from './index.ts';

const jsonl = (...values: unknown[]) => values.map((value) => JSON.stringify(value)).join('\n');

function read(value: unknown) {
  const transcript = readTranscript({ name: 'f', text: typeof value === 'string' ? value : JSON.stringify(value) });
  return { ...transcript, body: JSON.parse(transcript.bodyText) };
}

describe('Codex', () => {
  const record = (type: string, payload: unknown) => ({ timestamp: '2026-01-01T00:00:00Z', type, payload });
  const message = (role: string, text: string) => ({
    type: 'message',
    role,
    content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }],
  });
  const call = { type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}', call_id: 'c1' };
  const output = { type: 'function_call_output', call_id: 'c1', output: 'a.txt' };

  test('items become the input, the instructions the preamble; the rest is counted', () => {
    const { format, api, preamble, body, notes, measuredTokens, unseen } = read(
      jsonl(
        record('session_meta', { id: 'x', base_instructions: { text: 'You code.' } }),
        record('turn_context', { model: 'gpt-5-codex' }),
        record('response_item', message('user', 'list')),
        record('response_item', { type: 'reasoning', summary: [], encrypted_content: 'gAAA' }),
        record('response_item', call),
        record('response_item', output),
        record('response_item', { type: 'ghost_snapshot', ghost_commit: {} }),
        record('event_msg', { type: 'token_count', info: { last_token_usage: { input_tokens: 4321, cached_input_tokens: 4000 } } }),
        record('compacted', { message: 'summary' }),
      ),
    );
    expect({ format, api, preamble, measuredTokens, unseen }).toEqual({
      format: 'codex',
      api: 'openai-responses',
      preamble: 'You code.',
      measuredTokens: 4321,
      unseen: 'tools',
    });
    expect(body).toEqual({
      model: 'gpt-5-codex',
      instructions: 'You code.',
      input: [message('user', 'list'), { type: 'reasoning', summary: [], encrypted_content: 'gAAA' }, call, output],
    });
    expect(notes).toEqual([
      { what: 'bookkeeping lines', count: 1 },
      { what: "summaries of the agent's own compactions", count: 1 },
    ]);
  });

  test('turns that were taken back are left out; texts of the client are no turns', () => {
    const { body, notes } = read(
      jsonl(
        record('response_item', message('user', '<environment_context>here</environment_context>')),
        record('response_item', message('user', 'first')),
        record('response_item', message('assistant', 'one')),
        record('response_item', message('user', 'second')),
        record('response_item', message('user', '<environment_context>there</environment_context>')),
        record('response_item', message('assistant', 'two')),
        record('event_msg', { type: 'thread_rolled_back', num_turns: 1 }),
        record('response_item', message('user', 'other')),
      ),
    );
    expect(JSON.stringify(body.input)).not.toContain('two');
    expect(body.input.at(-1)).toEqual(message('user', 'other'));
    expect(body.input).toHaveLength(4);
    expect(notes).toEqual([{ what: 'messages taken back', count: 3 }]);
  });

  test('an older file holds the items bare, and the output of a result as an object', () => {
    const { format, body, preamble } = read(
      jsonl(
        { id: 'x', timestamp: 't', instructions: 'Old.' },
        message('user', 'list'),
        call,
        { type: 'function_call_output', call_id: 'c1', output: { content: 'a.txt', success: true } },
        { record_type: 'state' },
      ),
    );
    expect({ format, preamble }).toEqual({ format: 'codex', preamble: 'Old.' });
    expect(body.input).toEqual([message('user', 'list'), call, output]);
  });
});

describe('Pi', () => {
  const session = { type: 'session', id: 's', cwd: '/', modelId: 'claude-sonnet' };
  const entry = (message: unknown, rest: object = {}) => ({ type: 'message', timestamp: 't', message, ...rest });
  const assistant = (content: unknown[]) => ({
    role: 'assistant',
    content,
    model: 'claude-sonnet',
    usage: { input: 10, cacheRead: 90, cacheWrite: 0 },
  });

  test('calls, results, images and commands become Anthropic blocks', () => {
    const { api, body, notes, measuredTokens } = read(
      jsonl(
        session,
        entry({
          role: 'user',
          content: [
            { type: 'text', text: 'look' },
            { type: 'image', data: 'AAAA', mimeType: 'image/png' },
          ],
        }),
        entry(
          assistant([
            { type: 'thinking', thinking: 'hm' },
            { type: 'toolCall', id: 'a', name: 'read', arguments: { path: 'x' } },
          ]),
        ),
        entry({ role: 'toolResult', toolCallId: 'a', toolName: 'read', content: [{ type: 'text', text: 'gone' }], isError: true }),
        entry({ role: 'bashExecution', command: 'ls', output: 'x' }),
        entry(assistant([])),
        { type: 'model_change', modelId: 'other' },
      ),
    );
    expect({ api, measuredTokens }).toEqual({ api: 'anthropic', measuredTokens: 100 });
    expect(body.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
        ],
      },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'read', input: { path: 'x' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'gone' }], is_error: true }] },
      { role: 'user', content: [{ type: 'text', text: '$ ls\nx' }] },
    ]);
    expect(notes.map((note) => note.what)).toEqual(['unsigned thinking blocks', 'answers without content', 'bookkeeping lines']);
  });

  test('in a tree the way to the last entry is read', () => {
    const { body, notes } = read(
      jsonl(
        { ...session, version: 3 },
        entry({ role: 'user', content: 'root' }, { id: '1', parentId: null }),
        entry({ role: 'user', content: 'left' }, { id: '2', parentId: '1' }),
        entry({ role: 'user', content: 'taken' }, { id: '3', parentId: '1' }),
      ),
    );
    expect(body.messages.map((message: { content: { text: string }[] }) => message.content[0]?.text)).toEqual(['root', 'taken']);
    expect(notes).toEqual([{ what: 'lines of abandoned branches', count: 1 }]);
  });

  test('a tree whose entries name each other as parents ends', () => {
    const { body } = read(
      jsonl(
        session,
        entry({ role: 'user', content: 'a' }, { id: '1', parentId: '2' }),
        entry({ role: 'user', content: 'b' }, { id: '2', parentId: '1' }),
      ),
    );
    expect(body.messages).toHaveLength(2);
  });
});

describe('Gemini CLI', () => {
  const record = (id: string, type: string, rest: object) => ({ id, timestamp: 't', type, ...rest });
  const toolCall = {
    id: 'w1',
    name: 'write_file',
    args: { path: 'a', size: 1 },
    result: [{ functionResponse: { id: 'w1', name: 'write_file', response: { output: 'ok' } } }],
    status: 'success',
  };
  const chat = [
    record('1', 'user', { content: 'write' }),
    record('2', 'gemini', {
      content: 'I will.',
      thoughts: [{ subject: 's', description: 'd' }],
      toolCalls: [toolCall, { ...toolCall, id: 'w2', result: null, status: 'cancelled' }],
      tokens: { input: 1200 },
      model: 'gemini-3',
    }),
    record('3', 'info', { content: 'update!' }),
  ];
  const expected = [
    { role: 'user', content: 'write' },
    {
      role: 'assistant',
      content: 'I will.',
      tool_calls: ['w1', 'w2'].map((id) => ({
        id,
        type: 'function',
        function: { name: 'write_file', arguments: '{"path":"a","size":1}' },
      })),
    },
    { role: 'tool', tool_call_id: 'w1', content: 'ok' },
  ];

  test('a recorded chat becomes Chat messages; a cancelled call has no result', () => {
    const { format, api, body, notes, measuredTokens, model } = read({ sessionId: 's', projectHash: 'h', messages: chat });
    expect({ format, api, measuredTokens, model }).toEqual({
      format: 'gemini-cli',
      api: 'openai-chat',
      measuredTokens: 1200,
      model: 'gemini-3',
    });
    expect(body.messages).toEqual(expected);
    expect(notes).toEqual([
      { what: 'thought summaries', count: 1 },
      { what: 'notices of the client', count: 1 },
    ]);
  });

  test('a chat in lines is played back: later lines replace records or take them back', () => {
    const { format, body } = read(
      jsonl(
        { sessionId: 's', projectHash: 'h', startTime: 't' },
        record('1', 'user', { content: 'wri' }),
        record('1', 'user', { content: 'write' }),
        record('x', 'user', { content: 'gone' }),
        record('y', 'gemini', { content: 'gone' }),
        { $rewindTo: 'x' },
        chat[1],
      ),
    );
    expect(format).toBe('gemini-cli');
    expect(body.messages).toEqual(expected);
  });

  test('a checkpoint holds the contents of the API; calls without ids are answered in order', () => {
    const { format, body } = read([
      { role: 'user', parts: [{ text: 'both' }] },
      { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} } }, { functionCall: { name: 'ls', args: { all: true } } }] },
      {
        role: 'user',
        parts: ['one', 'two'].map((output) => ({ functionResponse: { name: 'ls', response: { output } } })),
      },
      { role: 'model', parts: [{ text: 'thinking', thought: true }, { text: 'done' }] },
    ]);
    expect(format).toBe('gemini-cli');
    expect(body.messages.map((message: { role: string }) => message.role)).toEqual(['user', 'assistant', 'tool', 'tool', 'assistant']);
    expect(body.messages[1].tool_calls.map((call: { id: string }) => call.id)).toEqual(
      body.messages.slice(2, 4).map((m: { tool_call_id: string }) => m.tool_call_id),
    );
    expect(body.messages[4].content).toBe('done');
  });
});

describe('SWE-agent', () => {
  test('the history is read without the marks of the agent', () => {
    const { format, preamble, body } = read({
      environment: 'main',
      trajectory: [{ action: 'ls' }],
      history: [
        { role: 'system', content: 'You fix.', agent: 'primary' },
        { role: 'user', content: 'task', agent: 'primary' },
        {
          role: 'assistant',
          content: 'ls',
          thought: 't',
          action: 'ls',
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'bash', arguments: '{}' } }],
        },
        { role: 'tool', content: 'a.txt', tool_call_ids: ['c'], message_type: 'observation' },
      ],
    });
    expect({ format, preamble }).toEqual({ format: 'swe-agent', preamble: 'You fix.' });
    expect(body.messages.map((message: object) => Object.keys(message))).toEqual([
      ['role', 'content'],
      ['role', 'content'],
      ['role', 'content', 'tool_calls'],
      ['role', 'content', 'tool_call_id'],
    ]);
    expect(body.messages[3].tool_call_id).toBe('c');
  });
});

describe('VS Code chat replay', () => {
  test('the last request holds the conversation, its answer is added', () => {
    const part = (text: string) => [{ type: 1, text }];
    const request = (messages: unknown[]) => ({
      kind: 'request',
      metadata: { model: 'm', usage: { prompt_tokens: 77 }, tools: [{ function: { name: 'edit' }, type: 'function' }] },
      requestMessages: { messages },
      response: { type: 'success', message: ['Done.'] },
    });
    const base = [
      { role: 0, content: part('System.') },
      { role: 1, content: part('edit it') },
    ];
    const { format, body, notes, measuredTokens } = read({
      prompts: [
        {
          prompt: 'edit it',
          logs: [
            request(base),
            request([
              ...base,
              { role: 2, content: part(''), toolCalls: [{ id: 'c', type: 'function', function: { name: 'edit', arguments: '{}' } }] },
              { role: 3, content: [...part('ok'), { type: 3, cacheType: 'ephemeral' }], toolCallId: 'c' },
            ]),
          ],
        },
      ],
    });
    expect({ format, measuredTokens }).toEqual({ format: 'chat-replay', measuredTokens: 77 });
    expect(body.messages).toEqual([
      { role: 'system', content: 'System.' },
      { role: 'user', content: 'edit it' },
      { role: 'assistant', content: null, tool_calls: [{ id: 'c', type: 'function', function: { name: 'edit', arguments: '{}' } }] },
      { role: 'tool', content: 'ok', tool_call_id: 'c' },
      { role: 'assistant', content: 'Done.' },
    ]);
    expect(notes[0]).toEqual({ what: 'earlier requests, whose messages the last one repeats', count: 1 });
  });
});

describe('Cline', () => {
  test('attached files become texts, marks on results go, lists that are no blocks become text', () => {
    const { format, preamble, body, measuredTokens } = read({
      version: 1,
      sessionId: 's',
      system_prompt: 'You are Cline.',
      messages: [
        {
          id: '1',
          role: 'user',
          content: [
            { type: 'text', text: 'fix' },
            { type: 'file', path: 'a.ts', content: 'let a' },
          ],
          ts: 1,
        },
        {
          id: '2',
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'c', name: 'read_files', input: {} }],
          modelInfo: { id: 'm' },
          metrics: { inputTokens: 9 },
        },
        {
          id: '3',
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'c', name: 'read_files', content: [{ query: 'a.ts', result: 'let a' }] }],
        },
      ],
    });
    expect({ format, preamble, measuredTokens }).toEqual({ format: 'cline', preamble: 'You are Cline.', measuredTokens: 9 });
    expect(body.system).toBe('You are Cline.');
    expect(body.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'fix' },
          { type: 'text', text: '<file path="a.ts">\nlet a\n</file>' },
        ],
      },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'read_files', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: '[{"query":"a.ts","result":"let a"}]' }] },
    ]);
  });
});
