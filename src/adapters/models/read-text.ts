// The text of an answer in the three APIs, from events or from a whole document; and whether it called a tool or refused.
import type { Api } from '../../core/transcript/entry.ts';
import { isObject, type JsonObject, listOf, stringOf } from '../../wire/rules.ts';

/** What an event adds. */
export interface Said {
  readonly text?: string;
  readonly isCall?: boolean;
  readonly isRefusal?: boolean;
  /** How it ended, where the event says so by its type. */
  readonly finish?: string;
  /** The text is all that was said, not an addition. */
  readonly isWhole?: boolean;
}

const NOTHING: Said = {};

type Reader = (value: JsonObject) => Said;

/** Reads one event of a stream. */
export const READ_EVENT: Readonly<Record<Api, Reader>> = {
  'openai-chat': (event) => messageSays(firstChoice(event)?.delta ?? firstChoice(event)?.message),
  'openai-responses': readResponsesEvent,
  anthropic: readAnthropicEvent,
};

/** Reads a whole answer. */
export const READ_WHOLE: Readonly<Record<Api, Reader>> = {
  'openai-chat': (answer) => messageSays(firstChoice(answer)?.message),
  'openai-responses': (answer) => ({ ...blocksSay(listOf(answer.output).flatMap(contentOf)), finish: statusOf(answer) }),
  anthropic: (answer) => blocksSay(listOf(answer.content)),
};

function firstChoice(answer: JsonObject): JsonObject | undefined {
  return listOf(answer.choices).find(isObject);
}

function messageSays(message: unknown): Said {
  if (!isObject(message)) return NOTHING;
  const { content, refusal, tool_calls, function_call } = message;
  const text = stringOf(content) ?? blocksSay(listOf(content)).text;
  const isRefusal = typeof refusal === 'string' && refusal !== '';
  return { text, isRefusal, isCall: listOf(tool_calls).length > 0 || isObject(function_call) };
}

/** A message item's own blocks; other items stand for themselves. */
function contentOf(item: unknown): readonly unknown[] {
  return isObject(item) && item.type === 'message' ? listOf(item.content) : [item];
}

const TEXT_TYPES: ReadonlySet<unknown> = new Set(['text', 'output_text']);
const isCallType = (type: unknown): boolean => typeof type === 'string' && /tool_use|_call$/.test(type);

function blocksSay(blocks: readonly unknown[]): Said {
  const known = blocks.filter(isObject);
  const texts = known.filter(({ type }) => TEXT_TYPES.has(type)).map(({ text }) => stringOf(text) ?? '');
  return {
    text: texts.join(''),
    isCall: known.some(({ type }) => isCallType(type)),
    isRefusal: known.some(({ type }) => type === 'refusal'),
  };
}

function readAnthropicEvent({ type, delta, content_block: block }: JsonObject): Said {
  if (type === 'content_block_start' && isObject(block)) return blocksSay([block]);
  if (type !== 'content_block_delta' || !isObject(delta)) return NOTHING;
  return delta.type === 'text_delta' ? { text: stringOf(delta.text) } : NOTHING;
}

function readResponsesEvent({ type, delta, item, response }: JsonObject): Said {
  switch (type) {
    case 'response.output_text.delta':
      return { text: stringOf(delta) };
    case 'response.refusal.delta':
      return { isRefusal: true };
    case 'response.output_item.added':
      return { isCall: isObject(item) && isCallType(item.type) };
    case 'response.completed':
    case 'response.incomplete':
      return isObject(response) ? { ...READ_WHOLE['openai-responses'](response), isWhole: true } : { finish: 'incomplete' };
    default:
      return NOTHING;
  }
}

function statusOf({ status, incomplete_details: details }: JsonObject): string | undefined {
  if (status === 'completed') return 'stop';
  return (isObject(details) ? stringOf(details.reason) : undefined) ?? stringOf(status);
}
