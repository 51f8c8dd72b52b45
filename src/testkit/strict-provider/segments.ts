// The request in the order in which a model reads it: what is counted, and what a prefix cache compares.
import type { Api } from '../../core/transcript/entry.ts';
import { isObject, type JsonObject, listOf } from '../../wire/rules.ts';
import { sinceCompaction } from './compaction.ts';
import { inputItems } from './stored-responses.ts';
import type { Counting, Rendered } from './tokens.ts';

/** How long a marked prefix is kept. */
export type MarkerTtl = '5m' | '1h';

/** A tool, a system block, a content block (Anthropic) or a message or item (OpenAI). */
export interface Segment extends Rendered {
  /** A prefix that ends here is to be cached. Anthropic only. */
  readonly marker?: MarkerTtl;
}

/** The segments of a request, in reading order: tools, system, messages. */
export function segmentsOf(api: Api, body: JsonObject, counting: Counting): readonly Segment[] {
  if (api === 'anthropic') return [...anthropicSegments(body, counting)];
  const head = [...listOf(body.tools), ...(body.instructions === undefined ? [] : [body.instructions])];
  const format = isObject(body.text) ? body.text.format : body.response_format;
  const schema = isObject(format) && format.type === 'json_schema' ? [format] : [];
  const messages = api === 'openai-chat' ? listOf(body.messages) : sinceCompaction(inputItems(body));
  return [...head, ...schema, ...messages].map((value) => counting.value(value));
}

/** Tokens of all segments. */
export function totalTokens(segments: readonly Segment[]): number {
  return segments.reduce((sum, { tokens }) => sum + tokens, 0);
}

function* anthropicSegments(body: JsonObject, counting: Counting): Generator<Segment> {
  for (const tool of listOf(body.tools)) yield marked(tool, counting);
  for (const block of blocksOf(body.system)) yield marked(block, counting);
  // A change of either keeps the caches of tools and system and loses that of the messages.
  const mode = JSON.stringify([body.tool_choice, body.thinking]);
  const messages = sinceCompaction(listOf(body.messages));
  for (const [index, message] of messages.entries()) {
    if (!isObject(message)) continue;
    const blocks = blocksOf(message.content);
    for (const [at, block] of blocks.entries()) {
      const isLast = index === messages.length - 1 && at === blocks.length - 1;
      const own = marked(block, counting);
      const marker = own.marker ?? (isLast ? ttlOf(body.cache_control) : undefined);
      const place = at === 0 ? `${String(message.role)}:${index === 0 ? mode : ''}` : '';
      yield { text: place + own.text, tokens: own.tokens, ...(marker === undefined ? {} : { marker }) };
    }
  }
}

/** A plain string stands for one text block. */
function blocksOf(content: unknown): readonly unknown[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
}

function marked(block: unknown, counting: Counting): Segment {
  const rendered = counting.value(block);
  const marker = isObject(block) ? (ttlOf(block.cache_control) ?? innerMarker(block)) : undefined;
  return marker === undefined ? rendered : { ...rendered, marker };
}

/** A marker inside a tool result counts for the result. */
function innerMarker(block: JsonObject): MarkerTtl | undefined {
  for (const inner of listOf(block.content)) {
    const marker = isObject(inner) ? ttlOf(inner.cache_control) : undefined;
    if (marker !== undefined) return marker;
  }
  return undefined;
}

function ttlOf(control: unknown): MarkerTtl | undefined {
  if (!isObject(control)) return undefined;
  return control.ttl === '1h' ? '1h' : '5m';
}
