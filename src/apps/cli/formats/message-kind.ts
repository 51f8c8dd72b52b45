// Tells OpenAI Chat, OpenAI Responses and Anthropic messages apart by what only one of them has.
import type { Api } from '../../../core/transcript/entry.ts';
import { asObjects, asText, isObject, type Json } from './transcript.ts';

const ANTHROPIC_BLOCKS = new Set(['tool_use', 'tool_result', 'thinking', 'redacted_thinking', 'server_tool_use', 'document']);
const CHAT_BLOCKS = new Set(['image_url', 'input_audio']);
const RESPONSES_BLOCKS = new Set(['input_text', 'output_text', 'input_image', 'input_file', 'refusal']);
const RESPONSES_ITEM = /^(message|reasoning|item_reference|compaction|[a-z_]+_call(_output)?)$/;
const CHAT_ROLES = new Set(['tool', 'function']);

/** What the messages (or items) themselves say; undefined when plain texts leave it open. */
export function apiOfMessages(messages: readonly Json[]): Api | undefined {
  for (const message of messages) {
    const api = apiOfMessage(message);
    if (api !== undefined) return api;
  }
  return undefined;
}

function apiOfMessage(message: Json): Api | undefined {
  if (typeof message.type === 'string' && RESPONSES_ITEM.test(message.type) && !('tool_calls' in message)) return 'openai-responses';
  if (CHAT_ROLES.has(asText(message.role) ?? '') || Array.isArray(message.tool_calls) || 'function_call' in message) return 'openai-chat';
  for (const block of asObjects(message.content)) {
    const type = asText(block.type) ?? '';
    if (ANTHROPIC_BLOCKS.has(type) || (type === 'image' && isObject(block.source))) return 'anthropic';
    if (CHAT_BLOCKS.has(type)) return 'openai-chat';
    if (RESPONSES_BLOCKS.has(type)) return 'openai-responses';
  }
  return undefined;
}

/** What the other members of a body with `messages` say: Chat, unless something only Anthropic has stands there. */
export function apiOfBody(body: Json): Api {
  const tools = asObjects(body.tools);
  if (tools.some((tool) => 'function' in tool || tool.type === 'function')) return 'openai-chat';
  const isAnthropic =
    'system' in body ||
    'anthropic_version' in body ||
    'thinking' in body ||
    tools.some((tool) => 'input_schema' in tool) ||
    namesClaude(body);
  return isAnthropic ? 'anthropic' : 'openai-chat';
}

function namesClaude(body: Json): boolean {
  return typeof body.max_tokens === 'number' && /^claude/.test(asText(body.model) ?? '');
}
