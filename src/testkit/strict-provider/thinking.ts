// Preserved thinking (Messages): a signature is bound to system, tools and all messages before its turn. Thinking itself is no part of that
// prefix, nor are cache markers, the order of keys, or where messages of one role are divided.
import { createHash, createHmac } from 'node:crypto';
import { isObject, type JsonObject, listOf, stringOf } from '../../wire/rules.ts';
import { foreignThinking } from './faults.ts';
import { invalidRequest, type Refusal } from './refusal.ts';

/** What the thinking blocks of a request have come to. */
export interface ThinkingFinding {
  readonly refusal?: Refusal;
  /** What the answer says of it, when the client asked to be told. */
  readonly notes: Readonly<Record<string, unknown>>;
}

const BETA = 'thinking-binding-controls-2026-08-01';
const MARK = 'sp1';
/** Not a secret: it tells signatures of this provider from any other text, in this process or another. */
const KEY = 'ullage strict provider';

/** The signature of thinking that answers this request. */
export function signThinking(body: JsonObject, thinking: string): string {
  return seal(prefixes(body).next, digest(thinking));
}

/** Judges every thinking block of a request. */
export function checkThinking(body: JsonObject, mode: 'bound' | 'all' | 'none', betaHeader = ''): ThinkingFinding {
  const binding = isObject(body.thinking) ? body.thinking.block_binding : undefined;
  const hasControls = betaHeader.includes(BETA);
  if (binding !== undefined && !hasControls) {
    return { refusal: invalidRequest('thinking.block_binding: Extra inputs are not permitted'), notes: {} };
  }
  const blocks = mode === 'none' ? [] : thinkingBlocks(body);
  const { before } = blocks.length === 0 ? { before: [] } : prefixes(body);
  const isDropping = isObject(binding) && binding.prefix_mismatch_behavior === 'drop_block';
  const isAudit = hasControls && binding === undefined;
  const transformations: object[] = [];
  for (const { block, index, path, isLatest } of blocks) {
    const verdict = judge(block, before[index]!, { mode, isLatest });
    if (verdict === 'fine') continue;
    if (verdict === 'other-prefix' && (isDropping || isAudit)) {
      const type = isDropping ? 'thinking_dropped' : 'thinking_mismatch_allowed';
      transformations.push({ type, path, reason: 'prefix_mismatch' });
      continue;
    }
    return { refusal: refusalOf(verdict, path), notes: {} };
  }
  return { notes: hasControls ? { input_transformations: transformations } : {} };
}

/** The place of the first thinking block; undefined when there is none. */
export function thinkingPath(body: JsonObject): string | undefined {
  return thinkingBlocks(body)[0]?.path;
}

type Verdict = 'fine' | 'other-prefix' | 'damaged' | 'modified';

function judge(block: JsonObject, prefix: string, { mode, isLatest }: { mode: 'bound' | 'all' | 'none'; isLatest: boolean }): Verdict {
  const signature = stringOf(block.signature) ?? stringOf(block.data) ?? '';
  const [mark, bound = '', words = '', ...rest] = signature.split('.');
  if (mark !== MARK) return mode === 'all' ? 'damaged' : 'fine';
  if (rest.length !== 1 || signature !== seal(bound, words)) return 'damaged';
  if (bound !== prefix) return 'other-prefix';
  const thinking = stringOf(block.thinking) ?? '';
  // An empty text is the omitted display. In earlier turns the API lets another text pass.
  return thinking !== '' && isLatest && digest(thinking) !== words ? 'modified' : 'fine';
}

function refusalOf(verdict: Exclude<Verdict, 'fine'>, path: string): Refusal {
  if (verdict === 'other-prefix') return foreignThinking(path);
  if (verdict === 'damaged') return invalidRequest(`${path}: Invalid \`signature\` in \`thinking\` block`);
  const rule = '`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.';
  return invalidRequest(`${path}: ${rule} These blocks must remain as they were in the original response.`);
}

interface ThinkingPlace {
  readonly block: JsonObject;
  /** Of the message. */
  readonly index: number;
  readonly path: string;
  /** In the last assistant message of the request. */
  readonly isLatest: boolean;
}

function thinkingBlocks(body: JsonObject): readonly ThinkingPlace[] {
  const messages = listOf(body.messages);
  const latest = messages.findLastIndex((message) => isObject(message) && message.role === 'assistant');
  return messages.flatMap((message, index) => {
    if (!isObject(message) || message.role !== 'assistant') return [];
    return listOf(message.content).flatMap((block, at) =>
      isThinking(block) ? [{ block, index, path: `messages.${index}.content.${at}`, isLatest: index === latest }] : [],
    );
  });
}

function isThinking(block: unknown): block is JsonObject {
  return isObject(block) && (block.type === 'thinking' || block.type === 'redacted_thinking');
}

/** The prefix of each message's turn, and that of an answer to the whole. */
function prefixes(body: JsonObject): { readonly before: readonly string[]; readonly next: string } {
  const hash = createHash('sha256').update(canonical([body.system, body.tools]));
  const state = (): string => hash.copy().digest('base64url').slice(0, 22);
  let role: unknown;
  let turn = state();
  const before = listOf(body.messages).map((message) => {
    if (!isObject(message)) return turn;
    if (message.role !== role) {
      role = message.role;
      turn = state();
      hash.update(`\n${String(role)}:`);
    }
    const { content } = message;
    for (const block of typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content)) {
      if (!isThinking(block)) hash.update(`${canonical(block)}\n`);
    }
    return turn;
  });
  return { before, next: role === 'assistant' ? turn : state() };
}

/** JSON with sorted keys and without cache markers. */
function canonical(value: unknown): string {
  const text = JSON.stringify(value, (key, inner: unknown) => {
    if (key === 'cache_control') return undefined;
    return isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner;
  });
  return text ?? 'null';
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

function seal(prefix: string, words: string): string {
  const mac = createHmac('sha256', KEY).update(`${prefix}.${words}`).digest('base64url').slice(0, 22);
  return `${MARK}.${prefix}.${words}.${mac}`;
}
