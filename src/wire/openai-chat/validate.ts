// Every structural rule of Chat Completions that can be judged from the body: calls and their tool messages, content, names.
// Rules of strict chat templates are in validate-template.ts and asked for by option.
import type { Violation } from '../codec.ts';
import { type Check, checkArguments, checkToolName, tooLongRule } from '../openai-calls.ts';
import { checkBody, type Findings, isObject, type JsonObject, listOf, stringOf, type ValidateOptions } from '../rules.ts';
import { checkTemplate } from './validate-template.ts';

const ROLES: ReadonlySet<unknown> = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function']);
/** Limit of the hosted API for `tool_calls[].id`. */
const MAX_HOSTED_ID_LENGTH = 40;

/** The tool_calls message whose answers are being read. */
interface OpenCalls {
  readonly index: number;
  readonly waiting: Set<string>;
  readonly answered: Set<string>;
}

/**
 * Every rule of the OpenAI Chat Completions API the body breaks, in words like the API's; empty = valid. Linear in the body. Never
 * throws: damaged JSON is one violation. Empty argument texts are taken, as the API takes them; `strict: 'local'` does not.
 */
export function validateOpenaiChat(bodyText: string, options: ValidateOptions = {}): readonly Violation[] {
  return checkBody('openai-chat', bodyText, (body, findings) => {
    const messages = listOf(body.messages);
    if (messages.length === 0) findings.add('messages-empty', 'messages', "[] is too short - 'messages'");
    let open: OpenCalls | undefined;
    for (const [index, message] of messages.entries()) {
      const path = `messages.${index}`;
      if (!isObject(message) || !ROLES.has(message.role)) {
        findings.add('role', `${path}.role`, `Invalid value for '${path}.role': expected one of ${[...ROLES].join(', ')}.`);
        continue;
      }
      if (message.role === 'tool') {
        checkAnswer(message, { path, open, findings });
      } else {
        reportUnanswered(open, findings);
        open = message.role === 'assistant' ? checkCalls(message, index, { options, findings }) : undefined;
      }
      checkContent(message, path, findings);
    }
    reportUnanswered(open, findings);
    checkTools(body, { options, findings });
    if (options.strict === 'local') checkTemplate(messages, findings);
  });
}

function checkAnswer(message: JsonObject, place: { path: string; open: OpenCalls | undefined; findings: Findings }): void {
  const { path, open, findings } = place;
  const id = stringOf(message.tool_call_id) ?? '';
  if (open === undefined) {
    const rule = "messages with role 'tool' must be a response to a preceding message with 'tool_calls'.";
    findings.add('tool-without-call', path, `Invalid parameter: ${rule} (${path})`);
  } else if (open.waiting.delete(id)) {
    open.answered.add(id);
  } else if (open.answered.has(id)) {
    findings.add('tool-result-duplicate', path, `Duplicate value for 'tool_call_id' of '${id}' in ${path}.`);
  } else {
    findings.add('tool-result-orphan', path, `Invalid parameter: 'tool_call_id' of '${id}' not found in 'tool_calls' of previous message.`);
  }
}

function reportUnanswered(open: OpenCalls | undefined, findings: Findings): void {
  if (open === undefined || open.waiting.size === 0) return;
  const rule = "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.";
  const ids = [...open.waiting].join(', ');
  findings.add(
    'tool-result-missing',
    `messages.${open.index}`,
    `${rule} The following tool_call_ids did not have response messages: ${ids}`,
  );
}

function checkCalls(message: JsonObject, index: number, check: Check): OpenCalls | undefined {
  if (message.tool_calls === undefined || message.tool_calls === null) return undefined;
  const path = `messages.${index}.tool_calls`;
  const calls = listOf(message.tool_calls);
  if (calls.length === 0) {
    check.findings.add('tool-calls-empty', path, `[] is too short - '${path}'`);
    return undefined;
  }
  const waiting = new Set<string>();
  for (const [at, call] of calls.entries()) {
    const callPath = `${path}.${at}`;
    const id = isObject(call) ? stringOf(call.id) : undefined;
    if (!id) check.findings.add('tool-call-id', `${callPath}.id`, `Invalid '${callPath}.id': expected a non-empty string.`);
    else if (waiting.has(id))
      check.findings.add('tool-call-id-duplicate', `${callPath}.id`, `Duplicate value for '${callPath}.id': '${id}'.`);
    else if (check.options.strict === 'openai' && id.length > MAX_HOSTED_ID_LENGTH) {
      const idPath = `${callPath}.id`;
      check.findings.add('tool-call-id-length', idPath, tooLongRule(idPath, id.length, MAX_HOSTED_ID_LENGTH));
    }
    if (id) waiting.add(id);
    if (isObject(call)) checkCall(call, callPath, check);
  }
  return { index, waiting, answered: new Set() };
}

function checkCall(call: JsonObject, path: string, check: Check): void {
  if (isObject(call.custom)) {
    checkToolName(call.custom.name, `${path}.custom.name`, check);
    return;
  }
  const called = isObject(call.function) ? call.function : {};
  checkToolName(called.name, `${path}.function.name`, check);
  checkArguments(called.arguments, `${path}.function.arguments`, check);
}

function checkTools(body: JsonObject, check: Check): void {
  for (const [at, tool] of listOf(body.tools).entries()) {
    const declared = isObject(tool) ? tool.function : undefined;
    if (isObject(declared)) checkToolName(declared.name, `tools.${at}.function.name`, check);
  }
}

function checkContent(message: JsonObject, path: string, findings: Findings): void {
  const { content } = message;
  if (content === null || content === undefined) {
    if (!mayLackContent(message)) {
      findings.add('content-null', `${path}.content`, `Invalid value for 'content' of ${path}: expected a string, got null.`);
    }
  } else if (Array.isArray(content)) {
    if (content.length === 0 && !mayLackContent(message)) {
      findings.add('content-empty', `${path}.content`, `Invalid '${path}.content': empty array. Expected an array with minimum length 1.`);
    }
    for (const [at, part] of content.entries()) checkPart(part, `${path}.content.${at}`, findings);
  } else if (typeof content !== 'string') {
    findings.add('content-shape', `${path}.content`, `Invalid type for '${path}.content': expected a string or an array of parts.`);
  }
}

function mayLackContent(message: JsonObject): boolean {
  if (message.role !== 'assistant') return message.role === 'function';
  return listOf(message.tool_calls).length > 0 || isObject(message.function_call) || Boolean(message.refusal) || isObject(message.audio);
}

function checkPart(part: unknown, path: string, findings: Findings): void {
  if (!isObject(part) || typeof part.type !== 'string') {
    findings.add('part-shape', path, `Invalid type for '${path}': expected an object with a 'type'.`);
  } else if (part.type === 'text' && typeof part.text !== 'string') {
    findings.add('part-shape', path, `Invalid type for '${path}.text': expected a string.`);
  }
}
