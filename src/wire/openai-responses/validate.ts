// Every structural rule of the Responses API that can be judged from the body: items, calls and their outputs, reasoning and the
// item it belongs to.
import type { Violation } from '../codec.ts';
import { type Check, checkArguments, checkToolName, tooLongRule } from '../openai-calls.ts';
import { checkBody, type Findings, isObject, type JsonObject, listOf, stringOf, type ValidateOptions } from '../rules.ts';
import { checkCallOutputs, isModelItem } from './validate-pairs.ts';

/** Limit of the hosted API for `id` and `call_id`. */
const MAX_HOSTED_ID_LENGTH = 64;
const MESSAGE_ROLES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system', 'developer']);

/**
 * Every rule of the OpenAI Responses API the body breaks, in words like the API's; empty = valid. Linear in the body. Never throws:
 * damaged JSON is one violation. With state on the server (previous_response_id, conversation, item references) an output may answer
 * a call that is not in the body.
 */
export function validateOpenaiResponses(bodyText: string, options: ValidateOptions = {}): readonly Violation[] {
  return checkBody('openai-responses', bodyText, (body, findings) => {
    const items = listOf(body.input);
    const isContinued = hasServerState(body, items);
    const isTextInput = typeof body.input === 'string' && body.input !== '';
    if (items.length === 0 && !isTextInput && !isContinued) {
      findings.add('input-empty', 'input', "[] is too short - 'input': at least one message is required");
    }
    const check = { options, findings };
    for (const [index, item] of items.entries()) checkItem(item, `input.${index}`, check);
    checkItemIds(items, check);
    checkReasoning(items, findings);
    checkCallOutputs(items, isContinued, findings);
    for (const [at, tool] of listOf(body.tools).entries()) {
      if (isObject(tool) && (tool.type === 'function' || tool.type === 'custom')) checkToolName(tool.name, `tools.${at}.name`, check);
    }
  });
}

function hasServerState(body: JsonObject, items: readonly unknown[]): boolean {
  if (body.previous_response_id || body.conversation || body.prompt) return true;
  return items.some((item) => isObject(item) && item.type === 'item_reference');
}

function checkItem(item: unknown, path: string, check: Check): void {
  if (!isObject(item)) {
    check.findings.add('item-shape', path, `Invalid type for '${path}': expected an object.`);
    return;
  }
  if (item.type === 'message' || (item.type === undefined && item.role !== undefined)) checkMessage(item, path, check.findings);
  else if (typeof item.type !== 'string') check.findings.add('item-shape', `${path}.type`, `Missing required parameter: '${path}.type'.`);
  if (item.type === 'function_call' || item.type === 'custom_tool_call') checkToolName(item.name, `${path}.name`, check);
  if (item.type === 'function_call') checkArguments(item.arguments, `${path}.arguments`, check);
  const isOutput = item.type === 'function_call_output' || item.type === 'custom_tool_call_output';
  if (isOutput && typeof item.output !== 'string' && !Array.isArray(item.output)) {
    check.findings.add('output-shape', `${path}.output`, `Invalid type for '${path}.output': expected a string or an array.`);
  }
}

function checkMessage(item: JsonObject, path: string, findings: Findings): void {
  if (!MESSAGE_ROLES.has(item.role)) {
    findings.add('role', `${path}.role`, `Invalid value for '${path}.role': expected one of ${[...MESSAGE_ROLES].join(', ')}.`);
  }
  const { content } = item;
  if (typeof content === 'string') return;
  if (!Array.isArray(content)) {
    findings.add('content-null', `${path}.content`, `Invalid type for '${path}.content': expected a string or an array of parts.`);
    return;
  }
  if (content.length === 0) {
    findings.add('content-empty', `${path}.content`, `Invalid '${path}.content': empty array. Expected an array with minimum length 1.`);
  }
  const foreign = item.role === 'assistant' ? 'input_text' : 'output_text';
  for (const [at, part] of content.entries()) {
    const partPath = `${path}.content.${at}`;
    const type = isObject(part) ? part.type : undefined;
    if (typeof type !== 'string') findings.add('part-shape', partPath, `Invalid type for '${partPath}': expected an object with a 'type'.`);
    else if (type === foreign)
      findings.add('part-role', partPath, `Invalid value: '${type}' in '${partPath}' of role '${String(item.role)}'.`);
    else if ((type === 'input_text' || type === 'output_text') && typeof (part as JsonObject).text !== 'string') {
      findings.add('part-shape', partPath, `Invalid type for '${partPath}.text': expected a string.`);
    }
  }
}

function checkItemIds(items: readonly unknown[], { options, findings }: Check): void {
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const id = isObject(item) && item.type !== 'item_reference' ? stringOf(item.id) : undefined;
    const callId = isObject(item) ? stringOf(item.call_id) : undefined;
    for (const [key, value] of [
      ['id', id],
      ['call_id', callId],
    ] as const) {
      if (options.strict !== 'openai' || value === undefined || value.length <= MAX_HOSTED_ID_LENGTH) continue;
      const rule = tooLongRule(`input[${index}].${key}`, value.length, MAX_HOSTED_ID_LENGTH);
      findings.add('id-length', `input.${index}.${key}`, rule);
    }
    if (!id) continue;
    if (seen.has(id))
      findings.add('item-id-duplicate', `input.${index}`, `Duplicate item found with id ${id}. Remove duplicate items from your input.`);
    seen.add(id);
  }
}

/** A reasoning item (or a run of them) belongs to the item the model wrote next. */
function checkReasoning(items: readonly unknown[], findings: Findings): void {
  let follower: unknown;
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index];
    if (!isObject(item) || item.type !== 'reasoning') {
      follower = item;
      continue;
    }
    if (isObject(follower) && isModelItem(follower)) continue;
    const rule = `Item '${stringOf(item.id) ?? ''}' of type 'reasoning' was provided without its required following item.`;
    findings.add('reasoning-alone', `input.${index}`, rule);
  }
}
