import { describe, expect, test } from 'vitest';
import { readTranscript } from './index.ts';

interface Fields {
  uuid: string;
  parent?: string;
  [key: string]: unknown;
}

const line = (type: string, { uuid, parent, message, ...rest }: Fields) =>
  JSON.stringify({ type, uuid, parentUuid: parent ?? null, sessionId: 's', isSidechain: false, message, ...rest });
const user = (uuid: string, content: unknown, rest: object = {}) => line('user', { uuid, message: { role: 'user', content }, ...rest });
const answer = (uuid: string, id: string, blocks: unknown[], rest: object = {}) =>
  line('assistant', {
    uuid,
    message: { id, role: 'assistant', model: 'claude-x', content: blocks, usage: { input_tokens: 3, cache_read_input_tokens: 40 } },
    ...rest,
  });
const call = (id: string) => ({ type: 'tool_use', id, name: 'Read', input: { path: id } });
const result = (id: string, content = `of ${id}`) => ({ type: 'tool_result', tool_use_id: id, content });
const text = (value: string) => ({ type: 'text', text: value });

function read(lines: readonly string[]) {
  const transcript = readTranscript({ name: 'a.jsonl', text: lines.join('\n') });
  return { ...transcript, body: JSON.parse(transcript.bodyText) as { model: string; messages: { role: string; content: unknown }[] } };
}

describe('Claude Code', () => {
  test('F07: lines of one answer become one message, with the results of its parallel calls in the one message behind it', () => {
    const { body, api, model, measuredTokens, unseen } = read([
      user('1', 'go'),
      answer('2', 'm1', [text('Both.'), call('a')]),
      user('3', [result('a')]),
      answer('4', 'm1', [call('b')]),
      user('5', [result('b')]),
      answer('6', 'm2', [text('Done.')]),
    ]);
    expect({ api, model, measuredTokens, unseen }).toEqual({
      api: 'anthropic',
      model: 'claude-x',
      measuredTokens: 43,
      unseen: 'system prompt and tools',
    });
    expect(body.messages).toEqual([
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [text('Both.'), call('a'), call('b')] },
      { role: 'user', content: [result('a'), result('b')] },
      { role: 'assistant', content: [text('Done.')] },
    ]);
  });

  test('F07: a call without a result stays, and a late result goes to its call', () => {
    const { body } = read([
      user('1', 'go'),
      answer('2', 'm1', [call('a'), call('b')]),
      user('3', [result('b')]),
      user('4', '[Request interrupted by user]'),
      answer('5', 'm2', [text('Stopped.')]),
      user('6', [result('a')]),
    ]);
    expect(body.messages.map((message) => message.content)).toEqual([
      'go',
      [call('a'), call('b')],
      [result('b'), result('a')],
      '[Request interrupted by user]',
      [text('Stopped.')],
    ]);
  });

  test('what the person adds to a result stays behind the results', () => {
    const { body } = read([
      user('1', 'go'),
      answer('2', 'm1', [call('a'), call('b')]),
      user('3', [result('a'), text('but hurry')]),
      user('4', [result('b')]),
    ]);
    expect(body.messages[2]?.content).toEqual([result('a'), result('b'), text('but hurry')]);
  });

  test('meta, side-chain, synthetic and local lines, summaries and bookkeeping are left out and counted', () => {
    const { body, notes } = read([
      JSON.stringify({ type: 'summary', summary: 'Title', leafUuid: 'x' }),
      user('1', 'Caveat', { isMeta: true }),
      user('2', '<command-name>/exit</command-name>'),
      user('3', '<local-command-stdout>Bye</local-command-stdout>'),
      user('4', 'go'),
      answer('5', 'm1', [text('side')], { isSidechain: true }),
      line('assistant', {
        uuid: '6',
        message: { id: 'm2', role: 'assistant', model: '<synthetic>', content: [text('No response requested.')] },
      }),
      user('7', 'This session is being continued …', { isCompactSummary: true }),
      answer('8', 'm3', [text('Yes.')]),
      JSON.stringify({ type: 'progress', uuid: '9', data: {} }),
    ]);
    expect(body.messages.map((message) => message.content)).toEqual(['go', [text('Yes.')]]);
    expect(Object.fromEntries(notes.map(({ what, count }) => [what, count]))).toEqual({
      'bookkeeping lines': 2,
      'meta lines': 1,
      'local commands': 2,
      'side-chain lines': 1,
      'synthetic answers': 1,
      "summaries of the agent's own compactions": 1,
    });
  });

  test('lines that a resume wrote again are read once', () => {
    const lines = [user('1', 'go'), answer('2', 'm1', [call('a')]), user('3', [result('a')])];
    const { body, notes } = read([...lines, ...lines, user('4', 'on')]);
    expect(body.messages).toHaveLength(4);
    expect(notes).toEqual([{ what: 'lines repeated by a resume', count: 3 }]);
  });

  test('of a question asked again from the same place only the newest way is read', () => {
    const { body, notes } = read([
      user('1', 'go'),
      answer('2', 'm1', [text('Hm.')], { parent: '1' }),
      user('3', 'left', { parent: '2' }),
      answer('4', 'm2', [text('left answer')], { parent: '3' }),
      user('5', 'taken', { parent: '2' }),
      answer('6', 'm3', [text('taken answer')], { parent: '5' }),
    ]);
    expect(JSON.stringify(body.messages)).not.toContain('left');
    expect(notes).toEqual([{ what: 'lines of abandoned branches', count: 2 }]);
  });

  test('a file of a sub-agent alone is read, though all its lines are side-chain lines', () => {
    const { body } = read([user('1', 'task', { isSidechain: true }), answer('2', 'm1', [text('ok')], { isSidechain: true })]);
    expect(body.messages).toHaveLength(2);
  });

  test('a file that begins with an answer gets a first user message', () => {
    const { body } = read([answer('2', 'm1', [call('a')]), user('3', [result('a')])]);
    expect(body.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'user']);
  });

  test('F09: blank texts, and thinking that was cut off, are left out: the API refuses both', () => {
    const { body, notes } = read([
      user('1', 'go'),
      answer('2', 'm1', [text('\n\n'), call('a')]),
      user('3', [result('a'), text(' ')]),
      answer('4', 'm2', [{ type: 'thinking', thinking: 'hm', signature: 's' }]),
    ]);
    expect(body.messages.map((message) => message.content)).toEqual(['go', [call('a')], [result('a')]]);
    expect(notes).toEqual([
      { what: 'blank texts', count: 2 },
      { what: 'thinking blocks that nothing follows', count: 1 },
    ]);
  });

  test('numbers in the arguments of a call keep their digits', () => {
    const raw = answer('2', 'm1', [call('a')]).replace('"path":"a"', '"id":12345678901234567890,"ratio":1.0');
    expect(readTranscript({ name: 'a', text: `${user('1', 'go')}\n${raw}` }).bodyText).toContain('"id":12345678901234567890,"ratio":1.0');
  });

  test('a file with bookkeeping alone is refused with what was expected', () => {
    expect(() => read([user('1', 'x', { isMeta: true }), user('2', 'y', { isMeta: true })])).toThrow(
      'a.jsonl, line 1: expected at least one "user" or "assistant" line',
    );
  });
});
