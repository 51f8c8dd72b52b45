// Context editing by the provider (Messages): what a request asks to clear is gone before the model reads it. The client's history stays whole, and
// signatures are judged on that.
import { isObject, type JsonObject, listOf, stringOf } from '../../wire/rules.ts';

/** A body as the model reads it, and what the answer tells of the edits. */
export interface EditedBody {
  readonly body: JsonObject;
  /** `applied_edits`; undefined when the request asks for no edit. */
  readonly applied?: readonly object[];
}

type Messages = readonly unknown[];
type Count = (body: JsonObject) => number;

/** What an edit would leave; undefined = it has nothing to clear. */
type Editor = (edit: JsonObject, read: { readonly messages: Messages; readonly tokens: number }) => Cleared | undefined;

interface Cleared {
  readonly messages: Messages;
  readonly note: object;
}

const DEFAULT_TRIGGER_TOKENS = 100_000;
const DEFAULT_KEPT_TOOL_USES = 3;
const PLACEHOLDER = '[Old tool result content cleared]';

const EDITORS: ReadonlyMap<unknown, Editor> = new Map<unknown, Editor>([
  ['clear_tool_uses_20250919', clearToolUses],
  ['clear_thinking_20251015', clearThinking],
]);

/** Applies the edits in their order. Edits it does not know are left alone: those that compact are another room's. */
export function editContext(body: JsonObject, count: Count): EditedBody {
  const edits = isObject(body.context_management) ? listOf(body.context_management.edits).filter(isObject) : [];
  if (edits.length === 0) return { body };
  const applied: object[] = [];
  let edited = body;
  for (const edit of edits) {
    const tokens = count(edited);
    const cleared = EDITORS.get(edit.type)?.(edit, { messages: listOf(edited.messages), tokens });
    if (cleared === undefined) continue;
    const made = { ...edited, messages: cleared.messages };
    const clearedTokens = tokens - count(made);
    if (clearedTokens < (amountOf(edit.clear_at_least) ?? 0)) continue;
    applied.push({ type: edit.type, ...cleared.note, cleared_input_tokens: clearedTokens });
    edited = made;
  }
  return { body: edited, applied };
}

/** The oldest results, all but the newest few. */
function clearToolUses(edit: JsonObject, { messages, tokens }: { readonly messages: Messages; readonly tokens: number }) {
  const uses = blocksOf(messages).filter(({ type }) => type === 'tool_use');
  const trigger = amountOf(edit.trigger) ?? DEFAULT_TRIGGER_TOKENS;
  const isDue = isObject(edit.trigger) && edit.trigger.type === 'tool_uses' ? uses.length > trigger : tokens > trigger;
  if (!isDue) return undefined;
  const spared = new Set(listOf(edit.exclude_tools));
  const clearable = uses.filter(({ name }) => !spared.has(name));
  const ids = new Set(
    clearable.slice(0, Math.max(0, clearable.length - (amountOf(edit.keep) ?? DEFAULT_KEPT_TOOL_USES))).map(({ id }) => id),
  );
  if (ids.size === 0) return undefined;
  const inputs = listOf(edit.clear_tool_inputs);
  const edited = mapBlocks(messages, (block) => {
    if (block.type === 'tool_result' && ids.has(block.tool_use_id)) return { ...block, content: PLACEHOLDER };
    const hasInput = block.type === 'tool_use' && ids.has(block.id) && (edit.clear_tool_inputs === true || inputs.includes(block.name));
    return hasInput ? { ...block, input: {} } : block;
  });
  return { messages: edited, note: { cleared_tool_uses: ids.size } };
}

/** The thinking of older turns. A turn goes from one ask to the next, with all its tool rounds. */
function clearThinking({ keep }: JsonObject, { messages }: { readonly messages: Messages }) {
  if (keep === 'all' || (isObject(keep) && keep.type === 'all')) return undefined;
  let turn = 0;
  const turns = messages.map((message) => (isAsk(message) ? ++turn : turn));
  const thinking = [...new Set(turns.filter((_, index) => hasThinking(messages[index])))];
  const cleared = new Set(thinking.slice(0, Math.max(0, thinking.length - (amountOf(keep) ?? 1))));
  if (cleared.size === 0) return undefined;
  const edited = messages.map((message, index) => (cleared.has(turns[index]!) ? withoutThinking(message) : message));
  return { messages: edited, note: { cleared_thinking_turns: cleared.size } };
}

/** Of `{ type, value }`. */
function amountOf(amount: unknown): number | undefined {
  return isObject(amount) && typeof amount.value === 'number' ? amount.value : undefined;
}

function blocksOf(messages: Messages): readonly JsonObject[] {
  return messages.flatMap((message) => (isObject(message) ? listOf(message.content).filter(isObject) : []));
}

function mapBlocks(messages: Messages, edit: (block: JsonObject) => JsonObject): Messages {
  return messages.map((message) =>
    isObject(message) && Array.isArray(message.content)
      ? { ...message, content: listOf(message.content).map((block) => (isObject(block) ? edit(block) : block)) }
      : message,
  );
}

/** A user's message that brings no tool results. */
function isAsk(message: unknown): boolean {
  return (
    isObject(message) &&
    message.role === 'user' &&
    !listOf(message.content).some((block) => isObject(block) && block.type === 'tool_result')
  );
}

function isThinking(block: unknown): boolean {
  return isObject(block) && ['thinking', 'redacted_thinking'].includes(stringOf(block.type) ?? '');
}

function hasThinking(message: unknown): boolean {
  return isObject(message) && message.role === 'assistant' && listOf(message.content).some(isThinking);
}

function withoutThinking(message: unknown): unknown {
  if (!isObject(message) || !hasThinking(message)) return message;
  return { ...message, content: listOf(message.content).filter((block) => !isThinking(block)) };
}
