// The types of Responses items: who they are from, and which field holds what. Unknown types fall through to opaque.

/** Calls a client answers, with the field that holds what is asked. Only with a `call_id`; without one the server ran it. */
export const CALL_FIELDS: ReadonlyMap<string, string> = new Map([
  ['function_call', 'arguments'],
  ['custom_tool_call', 'input'],
  ['local_shell_call', 'action'],
  ['shell_call', 'action'],
  ['computer_call', 'action'],
  ['apply_patch_call', 'operation'],
]);

/** Results of those calls. */
export const OUTPUT_TYPES: ReadonlySet<string> = new Set([...CALL_FIELDS.keys()].map((type) => `${type}_output`));

/** Opaque items that answer something: they stand with the results, not with the assistant. */
export function isAnswerType(type: string): boolean {
  return type.endsWith('_output') || type.endsWith('_response');
}

/** The type of the item that answers a call. */
export function outputTypeOf(callType: string | undefined): string {
  return callType !== undefined && CALL_FIELDS.has(callType) ? `${callType}_output` : 'function_call_output';
}

/** Whether an item is a message: by its type, or, where that is left out, by its role. */
export function isMessageType(type: string, role: string): boolean {
  return type === 'message' || (type === '' && role !== '');
}
