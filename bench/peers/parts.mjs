// Messages of content parts, as AI SDK and Mastra have them.
import { assistantMessage, callsOf, textOf, toolMessage, toolNames, userMessage } from './chat.mjs';

const textPart = (text) => (text === '' ? [] : [{ type: 'text', text }]);

export function toParts(messages) {
  const names = toolNames(messages);
  return messages.map((message) => {
    const text = textOf(message);
    if (message.role === 'system') return { role: 'system', content: text };
    if (message.role === 'user') return { role: 'user', content: textPart(text) };
    if (message.role === 'tool') {
      const toolCallId = message.tool_call_id;
      const result = { type: 'tool-result', toolCallId, toolName: names.get(toolCallId) ?? 'tool', output: { type: 'text', value: text } };
      return { role: 'tool', content: [result] };
    }
    const calls = callsOf(message).map(({ id, name, input }) => ({ type: 'tool-call', toolCallId: id, toolName: name, input }));
    return { role: 'assistant', content: [...textPart(text), ...calls] };
  });
}

export function fromParts(messages) {
  return messages.flatMap(({ role, content }) => {
    if (role === 'system') return [{ role, content }];
    const text = typeof content === 'string' ? content : content.flatMap((part) => part.text ?? []).join('\n');
    if (role === 'user') return [userMessage(text)];
    if (role === 'tool') return content.map(({ toolCallId, output }) => toolMessage(toolCallId, output.value));
    const calls = content.filter(({ type }) => type === 'tool-call');
    return [
      assistantMessage(
        text,
        calls.map(({ toolCallId, toolName, input }) => ({ id: toolCallId, name: toolName, input })),
      ),
    ];
  });
}
