// What adapters share: Chat Completions messages read, and the settings that are tried.

/** Text of a message's content. */
export function textOf({ content }) {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map((block) => block.text ?? '').join('\n') : '';
}

/** Tool calls with their arguments parsed. What is no JSON object, as models write now and then, is the one value of such an object. */
export function callsOf({ tool_calls: calls = [] }) {
  return calls.map(({ id, function: own, custom }) => ({ id, name: (own ?? custom).name, input: inputOf(own?.arguments ?? custom.input) }));
}

function inputOf(text) {
  try {
    const value = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Kept as it is.
  }
  return { input: text };
}

/** Names of the tools by the ids of their calls. */
export function toolNames(messages) {
  return new Map(messages.flatMap(callsOf).map(({ id, name }) => [id, name]));
}

export function userMessage(text) {
  return { role: 'user', content: text };
}

export function toolMessage(callId, text) {
  return { role: 'tool', tool_call_id: callId, content: text };
}

/** `calls` as { id, name, input }. */
export function assistantMessage(text, calls) {
  const toolCalls = calls.map(({ id, name, input }) => ({ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }));
  return { role: 'assistant', content: text === '' ? null : text, ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }) };
}

const STEPS = 255;
const LEAST_TOKENS = 16;
const CHARS_PER_TOKEN = 2;

/** Settings in tokens: from a few to more than the whole, each some percent larger than the one before. */
export function tokenLevels(messages) {
  const most = Math.max(LEAST_TOKENS * 2, JSON.stringify(messages).length / CHARS_PER_TOKEN);
  return Array.from({ length: STEPS + 1 }, (_, step) => Math.round(LEAST_TOKENS * (most / LEAST_TOKENS) ** (step / STEPS)));
}

/** Settings that count: 0 to all of the messages that match. */
export function countLevels(messages, isCounted) {
  return Array.from({ length: messages.filter(isCounted).length + 1 }, (_, count) => count);
}
