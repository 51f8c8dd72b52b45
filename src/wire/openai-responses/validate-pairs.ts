// Calls and outputs of the Responses API, and which items the model itself writes.
import { type Findings, isObject, type JsonObject, stringOf } from '../rules.ts';

/** Call items that the client must answer. */
const CLIENT_CALLS: ReadonlySet<unknown> = new Set([
  'function_call',
  'custom_tool_call',
  'computer_call',
  'local_shell_call',
  'shell_call',
  'apply_patch_call',
]);

/** Outputs that always name their call; those of hosted tools may not. */
const NAMED_OUTPUTS: ReadonlySet<unknown> = new Set(['function_call_output', 'custom_tool_call_output']);

/** Items the model writes that are neither messages nor calls. */
const OTHER_MODEL_ITEMS: ReadonlySet<unknown> = new Set([
  'reasoning',
  'compaction',
  'mcp_list_tools',
  'mcp_approval_request',
  'item_reference',
]);

/** True for an item that can follow a reasoning item: written by the model itself. */
export function isModelItem(item: JsonObject): boolean {
  if (item.role !== undefined && (item.type === undefined || item.type === 'message')) return item.role === 'assistant';
  const type = stringOf(item.type) ?? '';
  return OTHER_MODEL_ITEMS.has(type) || type.endsWith('_call');
}

/** Every output must follow its call, every client call must have one output; order between the pairs is free. */
export function checkCallOutputs(items: readonly unknown[], isContinued: boolean, findings: Findings): void {
  /** call_id → place of the call, for calls that wait. */
  const open = new Map<string, number>();
  const calls = new Set<string>();
  const answered = new Set<string>();
  for (const [index, item] of items.entries()) {
    if (!isObject(item)) continue;
    const path = `input.${index}`;
    const type = stringOf(item.type) ?? '';
    if (type.endsWith('_output')) {
      const id = stringOf(item.call_id) ?? stringOf(item.id) ?? '';
      if (id === '' && !NAMED_OUTPUTS.has(type)) continue;
      if (answered.has(id)) findings.add('tool-result-duplicate', path, `Duplicate tool output for function call ${id}.`);
      else if (!calls.has(id) && !isContinued)
        findings.add('tool-result-orphan', path, `No tool call found for function call output with call_id ${id}.`);
      open.delete(id);
      answered.add(id);
    } else if (type.endsWith('_call')) {
      const id = stringOf(item.call_id);
      if (id) {
        if (calls.has(id)) findings.add('call-id-duplicate', path, `Duplicate call_id ${id} in '${path}'.`);
        calls.add(id);
      }
      if (!CLIENT_CALLS.has(type)) continue;
      if (id) open.set(id, index);
      else findings.add('tool-call-id', `${path}.call_id`, `Missing required parameter: '${path}.call_id'.`);
    }
  }
  for (const [id, index] of open) findings.add('tool-result-missing', `input.${index}`, `No tool output found for function call ${id}.`);
}
