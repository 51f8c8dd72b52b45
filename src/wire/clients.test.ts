// Consecutive requests in the shapes real clients send: every old message keeps its canonical form although its bytes change.
import { describe, expect, it } from 'vitest';
import type { Api } from '../core/transcript/entry.ts';
import { codecFor, messageTexts } from './index.ts';

function canonicalChain(api: Api, body: object): readonly string[] {
  const codec = codecFor(api);
  const cut = codec.decodeBody(JSON.stringify(body));
  return messageTexts(cut)
    .slice(cut.preambleCount)
    .map((raw) => codec.canonicalMessage(raw));
}

function expectExtends(api: Api, requests: readonly object[]): void {
  const chains = requests.map((body) => canonicalChain(api, body));
  for (const [index, chain] of chains.entries()) {
    const previous = chains[index - 1] ?? [];
    expect(chain.slice(0, previous.length)).toEqual(previous);
    expect(chain.length).toBeGreaterThan(previous.length);
  }
}

const MARK = { cache_control: { type: 'ephemeral' } };
const block = (words: string, extra: object = {}): object => ({ type: 'text', text: words, ...extra });

describe('Claude Code', () => {
  const system = [block('x-billing-header: v.abc'), block('You are an agent.', MARK), block('Rules', MARK)];
  const reminders = [block('<system-reminder>a</system-reminder>'), block('<system-reminder>b</system-reminder>')];
  const thinking = { type: 'thinking', thinking: '', signature: 'EqQB' };
  const call = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'echo hi', description: 'Say hi' } };
  const output = (extra: object): object => ({ tool_use_id: 'toolu_1', type: 'tool_result', content: 'hi', is_error: false, ...extra });
  const request = (messages: object[]): object => ({ model: 'claude', max_tokens: 32_000, system, messages, stream: true });

  it('moves its marker to the newest user block each turn', () => {
    const first = (extra: object): object => ({ role: 'user', content: [...reminders, block('say hi', extra)] });
    const assistant = (extra: object): object => ({ role: 'assistant', content: [thinking, block('I will.', extra), call] });
    expectExtends('anthropic', [
      request([first(MARK)]),
      request([first({}), assistant({}), { role: 'user', content: [output(MARK)] }]),
      request([
        first({}),
        assistant({}),
        { role: 'user', content: [output({})] },
        { role: 'assistant', content: [block('Done.')] },
        { role: 'user', content: [block('more', MARK)] },
      ]),
    ]);
  });

  it('sends a plain turn as a string once its marker has moved on, and as a block while it is marked', () => {
    expectExtends('anthropic', [
      request([{ role: 'user', content: [block('hi', MARK)] }]),
      request([
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: [block('Hello.', MARK)] },
        { role: 'user', content: [block('and?', MARK)] },
      ]),
      request([
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'Hello.' },
        { role: 'user', content: 'and?' },
        { role: 'assistant', content: [block('So.')] },
        { role: 'user', content: [block('ok', MARK)] },
      ]),
    ]);
  });
});

describe('Codex', () => {
  const preamble = [
    { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'base prompt' }] },
    { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'skills' }] },
  ];
  const user = (words: string): object => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text: words }] });
  const request = (items: object[]): object => ({
    model: 'gpt',
    input: [...preamble, ...items],
    store: false,
    stream: true,
    include: ['reasoning.encrypted_content'],
    prompt_cache_key: 'k',
  });
  const output = (extra: object): object[] => [
    { type: 'reasoning', summary: [], content: null, encrypted_content: 'gAAA', ...((extra as { id?: string }).id ? { id: 'rs_1' } : {}) },
    {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'Running.', ...('id' in extra ? { annotations: [], logprobs: [] } : {}) }],
      phase: 'commentary',
      ...extra,
    },
    { type: 'function_call', name: 'exec_command', arguments: '{"cmd":"echo hi"}', call_id: 'call_1', ...extra },
  ];
  const result = { type: 'function_call_output', call_id: 'call_1', output: 'hi' };

  it('sends its own output back with the ids of the server and, resumed from disk, without', () => {
    expectExtends('openai-responses', [
      request([user('<environment_context>cwd</environment_context>'), user('say hi')]),
      request([
        user('<environment_context>cwd</environment_context>'),
        user('say hi'),
        ...output({ id: 'x_1', status: 'completed' }),
        result,
      ]),
      request([user('<environment_context>cwd</environment_context>'), user('say hi'), ...output({}), result, user('more')]),
    ]);
  });
});

describe('opencode', () => {
  it('on Chat: a new date in the system message, null or empty content beside calls, the fields of the SDK', () => {
    const call = (args: string): object => ({ id: 'call_1', type: 'function', function: { name: 'bash', arguments: args } });
    const system = (date: string): object => ({ role: 'system', content: `You are opencode. Today is ${date}.` });
    const result = { role: 'tool', tool_call_id: 'call_1', content: 'hi' };
    expectExtends('openai-chat', [
      { model: 'm', messages: [system('Monday'), { role: 'user', content: 'say hi' }] },
      {
        model: 'm',
        messages: [
          system('Monday'),
          { role: 'user', content: 'say hi' },
          { role: 'assistant', content: '', tool_calls: [call('{"command":"echo hi"}')] },
          result,
        ],
      },
      {
        model: 'm',
        messages: [
          system('Tuesday'),
          { role: 'user', content: [{ type: 'text', text: 'say hi' }] },
          { role: 'assistant', content: null, refusal: null, tool_calls: [call('{"command": "echo hi"}')] },
          result,
          { role: 'assistant', content: 'Done.' },
          { role: 'user', content: 'more' },
        ],
      },
    ]);
  });

  it('on Messages: markers on the last two messages', () => {
    const request = (messages: object[]): object => ({ model: 'claude', max_tokens: 1, system: [block('s', MARK)], messages });
    const result = (extra: object): object => ({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 't', content: [block('hi')], ...extra }],
    });
    const assistant = (extra: object): object => ({
      role: 'assistant',
      content: [{ type: 'tool_use', id: 't', name: 'bash', input: { command: 'echo hi' }, ...extra }],
    });
    expectExtends('anthropic', [
      request([{ role: 'user', content: [block('say hi', MARK)] }]),
      request([{ role: 'user', content: [block('say hi')] }, assistant(MARK), result(MARK)]),
      request([
        { role: 'user', content: [block('say hi')] },
        assistant({}),
        result({}),
        { role: 'assistant', content: [block('Done.', MARK)] },
        { role: 'user', content: [block('more', MARK)] },
      ]),
    ]);
  });

  it('on Responses: messages without a type, answers with the id of the server', () => {
    const user = (words: string): object => ({ role: 'user', content: [{ type: 'input_text', text: words }] });
    const answer = (extra: object): object => ({ role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }], ...extra });
    expectExtends('openai-responses', [
      { model: 'm', input: [{ role: 'developer', content: 'rules' }, user('say hi')] },
      { model: 'm', input: [{ role: 'developer', content: 'rules' }, user('say hi'), answer({ id: 'msg_1' }), user('more')] },
      {
        model: 'm',
        input: [
          { role: 'developer', content: 'rules, new' },
          user('say hi'),
          answer({}),
          user('more'),
          answer({ id: 'msg_2' }),
          user('end'),
        ],
      },
    ]);
  });
});
