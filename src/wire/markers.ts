// Cache markers of one message. Clients move them from turn to turn, and the APIs allow only a few: bytes that are kept and sent again
// must not keep one.
import { asArray, memberOf, stringMember } from './json/read.ts';
import { listChanges, spliceText } from './json/splice.ts';
import type { JsonNode, ObjectNode } from './json/tree.ts';
import { messageObject } from './located.ts';

const MARKER_KEYS = ['cache_control', 'prompt_cache_breakpoint'] as const;
/** Members whose arrays hold blocks. Arguments of calls are data, whatever they are called. */
const BLOCK_KEYS = ['content', 'output'] as const;
const UNMARKABLE: ReadonlySet<string> = new Set(['thinking', 'redacted_thinking']);

function mayHaveMarkers(raw: string): boolean {
  return MARKER_KEYS.some((key) => raw.includes(key));
}

/** The message and its blocks, those inside results too, in the order they are written. */
function blocksOf(node: JsonNode, depth = 0): readonly ObjectNode[] {
  if (node.kind !== 'object') return [];
  const inner = depth > 1 ? [] : BLOCK_KEYS.flatMap((key) => asArray(memberOf(node, key))?.items ?? []);
  return [...inner.flatMap((item) => blocksOf(item, depth + 1)), node];
}

function markersAt(block: ObjectNode): readonly number[] {
  return block.members.flatMap(({ key, value }, index) =>
    value.kind !== 'null' && (MARKER_KEYS as readonly string[]).includes(key) ? [index] : [],
  );
}

/** The message without its cache markers; the same text when it has none. */
export function withoutMarkers(raw: string): string {
  if (!mayHaveMarkers(raw)) return raw;
  const changes = blocksOf(messageObject(raw)).flatMap((block) => {
    const removed = new Set(markersAt(block));
    return removed.size === 0 ? [] : listChanges(raw, { list: block, elements: block.members, removed });
  });
  return spliceText(raw, changes);
}

/** `raw`, which stands in place of the message `own`, with the last marker that `own` has, on its last block that can carry one. */
export function withMarkersOf(raw: string, own: string): string {
  if (raw === own || !(mayHaveMarkers(own) || mayHaveMarkers(raw))) return raw;
  const marker = blocksOf(messageObject(own))
    .flatMap((block) => markersAt(block).map((index) => own.slice(block.members[index]!.start, block.members[index]!.end)))
    .at(-1);
  const bare = withoutMarkers(raw);
  const blocks = asArray(memberOf(messageObject(bare), 'content'))?.items ?? [];
  const block = blocks.findLast((item) => isMarkable(bare, item));
  if (marker === undefined || block?.kind !== 'object') return bare;
  const inserted = new Map([[block.members.length, [marker]]]);
  return spliceText(bare, listChanges(bare, { list: block, elements: block.members, inserted }));
}

function isMarkable(raw: string, item: JsonNode): boolean {
  const type = stringMember(raw, item, 'type');
  return item.kind === 'object' && !UNMARKABLE.has(type) && (type !== 'text' || stringMember(raw, item, 'text') !== '');
}
