// Rules of single content blocks: emptiness, the roles a block may stand in, ids, names, thinking.
import { type Findings, isBlank, isObject, type JsonObject, listOf, stringOf } from '../rules.ts';
import type { Placed, Turn } from './validate-turns.ts';

const ID_PATTERN = /^[a-zA-Z0-9_-]+$/;
const MAX_TOOL_NAME_LENGTH = 128;

/** The role in which alone a block may stand. */
const ROLE_OF_BLOCK: ReadonlyMap<unknown, string> = new Map([
  ['tool_use', 'assistant'],
  ['server_tool_use', 'assistant'],
  ['mcp_tool_use', 'assistant'],
  ['thinking', 'assistant'],
  ['redacted_thinking', 'assistant'],
  ['compaction', 'assistant'],
  ['tool_result', 'user'],
]);

/** Checks the content of one turn. */
export function checkContent(turn: Turn, isLastTurn: boolean, findings: Findings): void {
  for (const index of turn.damagedIndexes) {
    findings.add('content-shape', `messages.${index}.content`, `messages.${index}.content: Input should be a string or a list of blocks`);
  }
  for (const index of turn.emptyIndexes) {
    if (isLastTurn && turn.role === 'assistant' && index === turn.lastIndex) continue;
    const rule = `messages.${index}: all messages must have non-empty content except for the optional final assistant message`;
    findings.add('content-empty', `messages.${index}.content`, rule);
  }
  for (const placed of turn.blocks) checkBlock(placed, turn.role, findings);
  const last = turn.role === 'assistant' ? turn.blocks.at(-1) : undefined;
  if (last && (last.block.type === 'thinking' || last.block.type === 'redacted_thinking')) {
    findings.add('thinking-last', last.path, `messages.${turn.lastIndex}: The final block in an assistant message cannot be \`thinking\``);
  }
}

function checkBlock(placed: Placed, role: string, findings: Findings): void {
  const { block, path } = placed;
  const onlyRole = ROLE_OF_BLOCK.get(block.type);
  if (onlyRole !== undefined && onlyRole !== role && role !== '') {
    findings.add('block-role', path, `${path}: \`${String(block.type)}\` blocks can only be in \`${onlyRole}\` messages`);
  }
  if (typeof block.type !== 'string') findings.add('block-shape', path, `${path}.type: Field required`);
  if (block.type === 'text') checkText(block, path, findings);
  if (block.type === 'tool_use' || block.type === 'server_tool_use' || block.type === 'mcp_tool_use') checkCall(block, path, findings);
  if (block.type === 'tool_result') checkResult(block, path, findings);
  if (block.type === 'thinking' || block.type === 'redacted_thinking') checkThinking(block, path, findings);
  if (block.type === 'compaction' && block.content === '') {
    findings.add('compaction-empty', path, `${path}.content: compaction content must be non-empty, or null`);
  }
}

function checkText(block: JsonObject, path: string, findings: Findings): void {
  const text = stringOf(block.text);
  if (text === undefined) findings.add('text-shape', path, `${path}.text: Input should be a valid string`);
  else if (text === '') findings.add('text-empty', path, 'messages: text content blocks must be non-empty');
  else if (isBlank(text)) findings.add('text-blank', path, 'messages: text content blocks must contain non-whitespace text');
}

function checkCall(block: JsonObject, path: string, findings: Findings): void {
  checkId(block.id, `${path}.${String(block.type)}.id`, findings);
  const name = stringOf(block.name);
  if (!name || name.length > MAX_TOOL_NAME_LENGTH) {
    const rule = `String should have at least 1 and at most ${MAX_TOOL_NAME_LENGTH} characters`;
    findings.add('tool-name', path, `${path}.${String(block.type)}.name: ${rule}`);
  }
  if (!isObject(block.input)) findings.add('tool-input', path, `${path}.${String(block.type)}.input: Input should be a valid dictionary`);
}

function checkResult(block: JsonObject, path: string, findings: Findings): void {
  checkId(block.tool_use_id, `${path}.tool_result.tool_use_id`, findings);
  for (const [at, inner] of listOf(block.content).entries()) {
    if (isObject(inner) && inner.type === 'text' && (inner.text === '' || typeof inner.text !== 'string')) {
      findings.add('text-empty', `${path}.content.${at}`, 'messages: text content blocks must be non-empty');
    }
  }
}

function checkId(id: unknown, path: string, findings: Findings): void {
  if (typeof id === 'string' && ID_PATTERN.test(id)) return;
  findings.add('id-pattern', path, `${path}: String should match pattern '^[a-zA-Z0-9_-]+$'`);
}

/** An empty `thinking` text is legal (omitted display); the signature or the data must be there. */
function checkThinking(block: JsonObject, path: string, findings: Findings): void {
  const isWhole =
    block.type === 'thinking' ? typeof block.thinking === 'string' && Boolean(stringOf(block.signature)) : Boolean(stringOf(block.data));
  if (!isWhole) findings.add('thinking-signature', path, `${path}: Invalid \`signature\` in \`${String(block.type)}\` block`);
}
