// What of a request outside its messages matters: model, output tokens, tools, state the server holds, compaction the provider runs.
import type { RequestBody, RequestFacts } from './codec.ts';
import { memberValue } from './member-value.ts';
import { isObject, listOf } from './rules.ts';
import { declaredTools } from './tools.ts';

/** Members that say how many output tokens are asked for, most specific first. */
export const OUTPUT_KEYS = {
  anthropic: ['max_tokens'],
  'openai-chat': ['max_completion_tokens', 'max_tokens'],
  'openai-responses': ['max_output_tokens'],
} as const;

/** Members that name state held by the server. */
const STATE_KEYS = ['previous_response_id', 'conversation', 'thread', 'cached_content', 'cachedContent'] as const;

/** An item that only names a stored one is shorter than this; longer messages are not looked into. */
const REFERENCE_CHARS = 400;

/** Reads the facts of any of the three formats. */
export function readFacts(body: RequestBody): RequestFacts {
  const model = member(body, 'model');
  const output = OUTPUT_KEYS[body.api].map((key) => member(body, key)).find((value) => typeof value === 'number' && value > 0);
  return {
    ...(typeof model === 'string' ? { model } : {}),
    ...(typeof output === 'number' ? { maxOutputTokens: output } : {}),
    isStream: member(body, 'stream') === true,
    ...(isReasoning(body) ? { isReasoning: true } : {}),
    toolNames: declaredTools(body).flatMap((tool) => [tool.name, ...tool.innerNames]),
    ...optional('serverState', serverState(body)),
    ...optional('providerCompaction', providerCompaction(body)),
  };
}

/** Anthropic's `thinking`, OpenAI's `reasoning` and `reasoning_effort`. A model that reasons unasked is not seen here. */
function isReasoning(body: RequestBody): boolean {
  const thinking = member(body, 'thinking');
  if (isObject(thinking)) return thinking.type !== 'disabled';
  const reasoning = member(body, 'reasoning');
  const effort = isObject(reasoning) ? (reasoning.effort ?? reasoning.max_tokens) : member(body, 'reasoning_effort');
  return effort !== undefined && effort !== null && effort !== 'none';
}

function member(body: RequestBody, key: string): unknown {
  return memberValue(body.text, body.members.get(key));
}

function optional<K extends string>(key: K, value: string | undefined): { readonly [P in K]?: string } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: string };
}

function serverState(body: RequestBody): string | undefined {
  const named = STATE_KEYS.find((key) => {
    const value = member(body, key);
    return isObject(value) || (typeof value === 'string' && value !== '');
  });
  return named ?? (holdsCachedContent(member(body, 'extra_body')) ? 'cached_content' : itemReference(body));
}

/** Gemini behind an OpenAI-compatible address. */
function holdsCachedContent(extra: unknown): boolean {
  const google = isObject(extra) ? extra.google : undefined;
  return isObject(google) && (typeof google.cached_content === 'string' || typeof google.cachedContent === 'string');
}

function itemReference(body: RequestBody): string | undefined {
  if (body.api !== 'openai-responses' || !body.text.includes('"item_reference"')) return undefined;
  const isReference = body.messages.some((span) => {
    const item = span.end - span.start <= REFERENCE_CHARS ? memberValue(body.text, span) : undefined;
    return isObject(item) && item.type === 'item_reference';
  });
  return isReference ? 'item_reference' : undefined;
}

/** Edits that clear tool results or thinking compose with ours and are no reason to stand back. */
function providerCompaction(body: RequestBody): string | undefined {
  const compaction = member(body, 'compaction');
  if (isObject(compaction) && compaction.type === 'summarize') return 'compaction';
  const management = member(body, 'context_management');
  const edits = isObject(management) ? listOf(management.edits) : listOf(management);
  const types = edits.map((edit) => (isObject(edit) ? edit.type : undefined));
  return types.find((type): type is string => typeof type === 'string' && (type === 'compaction' || type.startsWith('compact_')));
}
