// Tells the three request formats apart by the shape of a body. Reads member names first, messages only when those are silent.
import type { Api } from '../core/transcript/entry.ts';
import { cutBody } from './body.ts';
import type { RequestBody } from './codec.ts';
import { memberValue } from './member-value.ts';
import { isObject, listOf } from './rules.ts';

const ANTHROPIC_KEYS = [
  'system',
  'stop_sequences',
  'anthropic_version',
  'anthropic_beta',
  'thinking',
  'mcp_servers',
  'output_config',
  'compaction',
  'thread',
];
const CHAT_KEYS = [
  'max_completion_tokens',
  'stream_options',
  'response_format',
  'frequency_penalty',
  'presence_penalty',
  'n',
  'stop',
  'logprobs',
  'seed',
  'functions',
  'reasoning_effort',
];
const ANTHROPIC_BLOCKS: ReadonlySet<unknown> = new Set([
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
  'image',
  'document',
  'server_tool_use',
]);
const CHAT_BLOCKS: ReadonlySet<unknown> = new Set(['image_url', 'input_audio', 'file', 'refusal']);
const CHAT_ROLES: ReadonlySet<unknown> = new Set(['tool', 'function', 'developer']);

/** The API a request body is written for, or undefined when it is no request of any of the three. Never throws. */
export function detectApi(bodyText: string): Api | undefined {
  const responses = cutOrNothing('openai-responses', bodyText, 'input');
  const body = cutOrNothing('openai-chat', bodyText, 'messages');
  if (body === undefined) return responses && 'openai-responses';
  return byMembers(body) ?? byTools(body) ?? byMessages(body) ?? byModel(body);
}

function cutOrNothing(api: Api, text: string, key: 'messages' | 'input'): RequestBody | undefined {
  try {
    return cutBody({ api, key }, text);
  } catch {
    return undefined;
  }
}

function byMembers(body: RequestBody): Api | undefined {
  if (CHAT_KEYS.some((key) => body.members.has(key))) return 'openai-chat';
  return ANTHROPIC_KEYS.some((key) => body.members.has(key)) ? 'anthropic' : undefined;
}

function byTools(body: RequestBody): Api | undefined {
  const tool = listOf(memberValue(body.text, body.members.get('tools'))).find(isObject);
  if (tool === undefined) return undefined;
  if ('input_schema' in tool) return 'anthropic';
  return 'function' in tool || 'custom' in tool ? 'openai-chat' : undefined;
}

function byMessages(body: RequestBody): Api | undefined {
  if (body.preambleCount > 0) return 'openai-chat';
  for (const span of body.messages) {
    const message = memberValue(body.text, span);
    if (!isObject(message)) continue;
    if (CHAT_ROLES.has(message.role) || 'tool_calls' in message || message.content === null) return 'openai-chat';
    for (const block of listOf(message.content)) {
      const type = isObject(block) ? block.type : undefined;
      if (ANTHROPIC_BLOCKS.has(type)) return 'anthropic';
      if (CHAT_BLOCKS.has(type)) return 'openai-chat';
    }
  }
  return undefined;
}

/** Plain text turns fit both formats: the model's name decides. */
function byModel(body: RequestBody): Api {
  const model = memberValue(body.text, body.members.get('model'));
  return typeof model === 'string' && model.startsWith('claude') && body.members.has('max_tokens') ? 'anthropic' : 'openai-chat';
}
