// The calls of a Chat Completions assistant message: function and custom tools, and the legacy single function call.
import { asArray, memberOf, stringMember } from '../json/read.ts';
import type { JsonNode, ObjectNode } from '../json/tree.ts';
import type { LocatedPart, Slot } from '../located.ts';
import { opaquePart, textOrJson } from '../located.ts';

/** Calls in order. A legacy call has no id: its result names the function, so the name serves as id. */
export function callParts(raw: string, root: ObjectNode): readonly LocatedPart[] {
  const list = asArray(memberOf(root, 'tool_calls'));
  const calls = list?.items.map((node, index) => callPart(raw, node, { kind: 'element', list, index })) ?? [];
  const legacy = memberOf(root, 'function_call');
  if (legacy?.kind !== 'object') return calls;
  const name = stringMember(raw, legacy, 'name');
  const value = memberOf(legacy, 'arguments');
  const part = { kind: 'call', id: name.trim(), name, argumentsText: textOrJson(raw, value), wireType: 'function_call' } as const;
  return [...calls, { part, node: legacy, slot: { kind: 'member', key: 'function_call' }, value }];
}

function callPart(raw: string, node: JsonNode, slot: Slot): LocatedPart {
  const id = stringMember(raw, node, 'id').trim();
  const custom = memberOf(node, 'custom');
  const called = memberOf(node, 'function') ?? custom;
  if (called?.kind !== 'object') return { part: opaquePart(raw, node, 'tool_call'), node, slot };
  const value = memberOf(called, called === custom ? 'input' : 'arguments');
  return { part: { kind: 'call', id, name: stringMember(raw, called, 'name'), argumentsText: textOrJson(raw, value) }, node, slot, value };
}
