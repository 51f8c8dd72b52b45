// When somebody goes back in Claude Code and asks differently, the file keeps both ways. Only the newest one is the conversation.
import { asObjects, asText, isObject, type Json } from './transcript.ts';

/** Ids of the lines on ways that were left: of several prompts after the same line all but the last, and whatever follows those. */
export function abandonedIds(lines: readonly Json[]): ReadonlySet<string> {
  const newest = new Map<string, string>();
  for (const line of lines) {
    const [id, parent] = [asText(line.uuid), asText(line.parentUuid)];
    if (id !== undefined && parent !== undefined && isPrompt(line)) newest.set(parent, id);
  }
  const abandoned = new Set<string>();
  for (const line of lines) {
    const [id, parent] = [asText(line.uuid), asText(line.parentUuid)];
    if (id === undefined || parent === undefined) continue;
    const isLeft = isPrompt(line) && newest.get(parent) !== id;
    if (isLeft || abandoned.has(parent)) abandoned.add(id);
  }
  return abandoned;
}

/** A line that a person typed. Results of parallel calls share a parent too, and are not left ways. */
function isPrompt(line: Json): boolean {
  if (line.type !== 'user' || line.isSidechain === true || line.isMeta === true || !isObject(line.message)) return false;
  const { content } = line.message;
  return typeof content === 'string' || asObjects(content).every((block) => block.type !== 'tool_result');
}
