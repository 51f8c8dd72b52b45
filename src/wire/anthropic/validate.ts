// Every structural rule of the Messages API that can be judged from the body: roles, emptiness, thinking, names. Pairs of calls
// and results and the cache markers have files of their own. Source: reference of the API and its error texts.
import type { Violation } from '../codec.ts';
import { checkBody, type Findings, isObject, type JsonObject, listOf, stringOf, type ValidateOptions } from '../rules.ts';
import { checkCacheControl } from './validate-cache.ts';
import { checkContent } from './validate-content.ts';
import { checkPairs } from './validate-pairs.ts';
import { isOpenRound, type Placed, type Turn, turnsOf } from './validate-turns.ts';

const MAX_MESSAGES = 100_000;
const MAX_TOOL_NAME_LENGTH = 128;
/** Bedrock's Converse API allows no more. */
const MAX_STRICT_TOOL_NAME_LENGTH = 64;

/**
 * Every rule of the Anthropic Messages API the body breaks, in words like the API's; empty = valid. Linear in the body. Never throws:
 * damaged JSON is one violation. Consecutive messages of one role are judged as one, as the API merges them.
 */
export function validateAnthropic(bodyText: string, options: ValidateOptions = {}): readonly Violation[] {
  return checkBody('anthropic', bodyText, (body, findings) => {
    const messages = listOf(body.messages);
    if (messages.length === 0) findings.add('messages-empty', 'messages', 'messages: at least one message is required');
    if (messages.length > MAX_MESSAGES)
      findings.add('messages-too-many', 'messages', `messages: at most ${MAX_MESSAGES} messages are allowed`);
    const isContinued = isObject(body.thread) && body.thread.type === 'continue';
    checkOrder(messages, findings, isContinued);
    const turns = turnsOf(messages);
    for (const [at, turn] of turns.entries()) checkContent(turn, at === turns.length - 1, findings);
    checkFinalAssistant(turns.at(-1), findings);
    checkPairs(turns, findings, isContinued);
    checkSystem(body.system, findings);
    checkTools(body, options, findings);
    checkCacheControl(body, turns, findings);
    if (options.strict === 'local') checkRelay(body, turns, findings);
  });
}

function checkOrder(messages: readonly unknown[], findings: Findings, isContinued: boolean): void {
  let previousRole: unknown;
  for (const [at, message] of messages.entries()) {
    const role = isObject(message) ? message.role : undefined;
    if (role !== 'user' && role !== 'assistant' && role !== 'system') {
      findings.add('role', `messages.${at}.role`, `messages.${at}.role: Input should be 'user', 'assistant' or 'system'`);
    }
    if (at === 0 && role === 'assistant' && !isContinued && !startsWithCompaction(message as JsonObject)) {
      findings.add('first-user', 'messages.0', 'messages: first message must use the "user" role');
    }
    if (role === 'system' && previousRole !== 'user' && previousRole !== 'system') {
      findings.add('system-place', `messages.${at}`, `messages.${at}: a "system" message must follow a "user" message`);
    }
    previousRole = role;
  }
}

/** On-demand compaction puts the signed block of the assistant first. */
function startsWithCompaction(message: JsonObject): boolean {
  const first = listOf(message.content)[0];
  return isObject(first) && first.type === 'compaction';
}

function checkFinalAssistant(turn: Turn | undefined, findings: Findings): void {
  const last = turn?.role === 'assistant' ? turn.blocks.at(-1) : undefined;
  const text = last?.block.type === 'text' ? stringOf(last.block.text) : undefined;
  if (last && text !== undefined && text !== text.trimEnd()) {
    findings.add('trailing-whitespace', last.path, 'messages: final assistant content cannot end with trailing whitespace');
  }
}

function checkSystem(system: unknown, findings: Findings): void {
  for (const [at, block] of listOf(system).entries()) {
    if (isObject(block) && block.text === '') {
      findings.add('text-empty', `system.${at}`, 'system: text content blocks must be non-empty');
    }
  }
}

function checkTools(body: JsonObject, options: ValidateOptions, findings: Findings): void {
  const longest = options.strict === 'local' ? MAX_STRICT_TOOL_NAME_LENGTH : MAX_TOOL_NAME_LENGTH;
  const names = new Set<string>();
  for (const [at, tool] of listOf(body.tools).entries()) {
    const name = isObject(tool) ? stringOf(tool.name) : undefined;
    if (name === undefined) continue;
    if (name === '' || name.length > longest) {
      findings.add('tool-name', `tools.${at}.name`, `tools.${at}.name: String should have at least 1 and at most ${longest} characters`);
    }
    if (names.has(name)) findings.add('tool-name-duplicate', `tools.${at}.name`, `tools: Tool names must be unique (${name})`);
    names.add(name);
  }
}

/** What Bedrock and models before preserved thinking also ask for. */
function checkRelay(body: JsonObject, turns: readonly Turn[], findings: Findings): void {
  for (const turn of turns) {
    if (turn.lastIndex > turn.firstIndex) {
      findings.add('alternation', `messages.${turn.firstIndex + 1}`, 'messages: roles must alternate between "user" and "assistant"');
    }
  }
  const call = turns.flatMap((turn) => turn.blocks).find(({ block }) => block.type === 'tool_use' || block.type === 'tool_result');
  if (call && listOf(body.tools).length === 0) {
    findings.add('tools-missing', call.path, 'The tools field must be defined when using tool_use and tool_result content blocks.');
  }
  const isThinking = isObject(body.thinking) && body.thinking.type === 'enabled';
  if (isThinking && isOpenRound(turns)) checkThinkingFirst(turns.at(-2)?.blocks[0], findings);
}

function checkThinkingFirst(first: Placed | undefined, findings: Findings): void {
  const type = first?.block.type;
  if (first === undefined || type === 'thinking' || type === 'redacted_thinking') return;
  findings.add(
    'thinking-first',
    first.path,
    `${first.path}.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${String(type)}\`.`,
  );
}
