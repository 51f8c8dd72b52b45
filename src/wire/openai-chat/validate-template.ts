// Rules of strict chat templates and relays (Mistral, Qwen, Gemma, Moonshot, vLLM), beyond the API's own: asked for by option.
import { type Findings, isBlank, isObject, type JsonObject, listOf, parseJson, stringOf } from '../rules.ts';

/** One leading system message, alternation, a user turn, no user right after a tool, no empty text, arguments that are objects. */
export function checkTemplate(messages: readonly unknown[], findings: Findings): void {
  let previous: unknown;
  let previousSpeaker: unknown;
  let hasUser = false;
  for (const [index, message] of messages.entries()) {
    if (!isObject(message)) continue;
    const path = `messages.${index}`;
    const role = message.role === 'developer' ? 'system' : message.role;
    if (role === 'system' && index > 0)
      findings.add('system-place', path, 'System message must be at the beginning, and there can be only one.');
    if (role === 'user' && previous === 'tool') findings.add('user-after-tool', path, "Unexpected role 'user' after role 'tool'");
    if (isSpeaker(message)) {
      if (role === previousSpeaker || (previousSpeaker === undefined && role !== 'user')) {
        findings.add(
          'alternation',
          path,
          'After the optional system message, conversation roles must alternate user/assistant/user/assistant/...',
        );
      }
      previousSpeaker = role;
    }
    hasUser ||= role === 'user';
    previous = role;
    checkTexts(message, index, findings);
    checkArguments(message, path, findings);
  }
  if (messages.length > 0 && !hasUser) findings.add('user-missing', 'messages', 'No user query found in messages.');
  checkReasoningEcho(messages, findings);
}

/** Rounds of tools stand outside the alternation. */
function isSpeaker(message: JsonObject): boolean {
  return message.role === 'user' || (message.role === 'assistant' && !hasCalls(message));
}

function hasCalls(message: JsonObject): boolean {
  return listOf(message.tool_calls).length > 0;
}

function checkTexts(message: JsonObject, index: number, findings: Findings): void {
  const { role, content } = message;
  const path = `messages.${index}`;
  if (role === 'tool' && typeof content !== 'string') {
    findings.add('tool-content', `${path}.content`, `${path}.content: tool message content must be a string`);
  }
  const isEmpty = typeof content === 'string' && isBlank(content);
  if (isEmpty && (role === 'user' || (role === 'assistant' && !hasCalls(message)))) {
    findings.add('text-empty', `${path}.content`, `Invalid request: message at position ${index} with role '${role}' must not be empty`);
  }
  for (const [at, part] of listOf(content).entries()) {
    if (isObject(part) && part.type === 'text' && isBlank(stringOf(part.text) ?? '')) {
      findings.add('text-empty', `${path}.content.${at}`, `${path}.content.${at}: text content is empty`);
    }
  }
}

function checkArguments(message: JsonObject, path: string, findings: Findings): void {
  for (const [at, call] of listOf(message.tool_calls).entries()) {
    const called = isObject(call) && isObject(call.function) ? call.function : undefined;
    if (called && !isObject(parseJson(stringOf(called.arguments) ?? '')?.value)) {
      const place = `${path}.tool_calls.${at}.function.arguments`;
      findings.add('tool-arguments-object', place, `${place}: expected the JSON text of an object`);
    }
  }
}

/** DeepSeek and Moonshot want the field on every tool round once thinking is on; an empty string counts as present. */
function checkReasoningEcho(messages: readonly unknown[], findings: Findings): void {
  const rounds = [...messages.entries()].filter(([, message]) => isObject(message) && message.role === 'assistant' && hasCalls(message));
  const isPresent = ([, message]: readonly [number, unknown]) => isObject(message) && typeof message.reasoning_content === 'string';
  if (!rounds.some(isPresent)) return;
  for (const round of rounds) {
    if (isPresent(round)) continue;
    const rule = `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${round[0]}`;
    findings.add('reasoning-missing', `messages.${round[0]}`, rule);
  }
}
