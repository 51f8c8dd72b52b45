// Calls that never got a result, in requests as they go out: answered in the type of the call, so that the strictest provider takes them (F07).
import { describe, expect, it } from 'vitest';
import { codecFor } from '../../src/wire/index.ts';
import { messagesOf } from '../support/conversation.ts';
import { makeWorld } from '../support/recovery.ts';

describe('an unanswered call of Responses', () => {
  it.each([
    ['custom_tool_call', { name: 'apply', input: 'text' }, 'custom_tool_call_output'],
    ['function_call', { name: 'read', arguments: '{}' }, 'function_call_output'],
    ['local_shell_call', { id: 'l1', action: { type: 'exec', command: ['ls'], env: {} }, status: 'completed' }, 'local_shell_call_output'],
  ])('%s is answered by its own type of result', async (type, members, answered) => {
    const session = await makeWorld({ api: 'openai-responses' }).open().session('k');
    const input = [
      { role: 'user', content: 'go' },
      { type, call_id: 'c1', ...members },
      { role: 'user', content: 'stop that' },
    ];
    const prepared = await session.prepare({ model: 'm', input });
    const types = messagesOf(prepared.body).map((item) => item.type);
    expect(types).toEqual([undefined, type, answered, undefined]);
    expect(codecFor('openai-responses').validate(prepared.text)).toEqual([]);
  });
});
