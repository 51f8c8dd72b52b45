// SWE-agent trajectories: `history` is what the model saw, with marks of the agent on each message.
import { chatBody } from './body.ts';
import { createCounter } from './counter.ts';
import type { Document } from './document.ts';
import { rawElements, rawMembers, rawObject } from './raw-json.ts';
import { type FormatReader, unexpected } from './reader.ts';
import { asText, isObject, type Json, type Transcript } from './transcript.ts';

const ROLES = new Set(['system', 'user', 'assistant', 'tool']);

export const sweAgentReader: FormatReader = {
  format: 'swe-agent',
  expected: 'a JSON object with "trajectory" and "history", an array of messages',
  recognises: ({ value }) => isObject(value) && Array.isArray(value.trajectory) && Array.isArray(value.history),
  read,
};

function read(document: Document): Transcript {
  const counter = createCounter();
  const value = isObject(document.value) ? document.value : {};
  const history: readonly unknown[] = Array.isArray(value.history) ? value.history : [];
  const raws = rawElements(rawMembers(document.text).get('history'));
  const messages = history.flatMap((message, index) => {
    if (isObject(message) && ROLES.has(asText(message.role) ?? '') && 'content' in message) return [toChat(message, raws[index] ?? '{}')];
    counter.add('history entries without a role');
    return [];
  });
  if (messages.length === 0) throw unexpected(document, 1, sweAgentReader.expected);
  const first = history.find(isObject);
  return {
    format: 'swe-agent',
    api: 'openai-chat',
    preamble: first?.role === 'system' ? asText(first.content) : undefined,
    model: modelOf(value),
    bodyText: chatBody({ model: modelOf(value), messages }),
    notes: counter.notes(),
  };
}

function modelOf(value: Json): string | undefined {
  const replay = isObject(value.replay_config) ? value.replay_config : {};
  const agent = isObject(replay.agent) ? replay.agent : {};
  return isObject(agent.model) ? asText(agent.model.name) : undefined;
}

/** Only what the API knows; the agent's own marks (thought, action, agent, …) repeat what the content says. */
function toChat(message: Json, raw: string): string {
  const members = rawMembers(raw);
  const callIds = Array.isArray(message.tool_call_ids) ? message.tool_call_ids : [];
  const callId = asText(message.tool_call_id) ?? asText(callIds[0]);
  return rawObject({
    role: members.get('role'),
    content: members.get('content'),
    tool_calls: Array.isArray(message.tool_calls) && message.tool_calls.length > 0 ? members.get('tool_calls') : undefined,
    tool_call_id: message.role === 'tool' && callId !== undefined ? JSON.stringify(callId) : undefined,
  });
}
