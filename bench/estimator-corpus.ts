// Message texts of the transcripts in ../shared/corpus, as plain strings, for fitting and measuring the estimator.
// Reads each format just well enough for that; images are left out.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One transcript: its texts in order, one per message part. */
export interface SessionTexts {
  readonly name: string;
  readonly texts: readonly string[];
}

type Json = Record<string, unknown>;

/** Where the corpus lies, from the repository's root. */
export const CORPUS_FOLDER = join(import.meta.dirname, '..', '..', 'shared', 'corpus');

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const asJson = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? {}));

/** Text of one content block of any of the formats; undefined when it has none. */
function blockTexts(block: unknown): readonly string[] {
  if (typeof block === 'string') return [block];
  if (!isObject(block)) return [];
  if (typeof block.text === 'string') return [block.text];
  if (typeof block.thinking === 'string') return [block.thinking];
  if (block.type === 'tool_use') return [`${block.name} ${asJson(block.input)}`];
  if (block.type === 'toolCall') return [`${block.name} ${asJson(block.arguments)}`];
  if (block.type === 'tool_result' || block.type === 'file') return contentTexts(block.content);
  return [];
}

function contentTexts(content: unknown): readonly string[] {
  return typeof content === 'string' ? [content] : asList(content).flatMap(blockTexts);
}

function messageTexts(message: unknown): readonly string[] {
  if (!isObject(message)) return [];
  const calls = asList(message.tool_calls).flatMap((call) => {
    const target = isObject(call) ? call.function : undefined;
    return isObject(target) ? [`${target.name} ${asJson(target.arguments)}`] : [];
  });
  const geminiCalls = asList(message.toolCalls).flatMap((call) => {
    return isObject(call) ? [`${call.name} ${asJson(call.args)}`, asJson(call.result)] : [];
  });
  const thoughts = asList(message.thoughts).map((thought) => (isObject(thought) ? `${thought.subject} ${thought.description}` : ''));
  return [...contentTexts(message.content), ...thoughts, ...calls, ...geminiCalls];
}

function lineTexts(text: string): readonly string[] {
  const seen = new Set<string>();
  return text.split('\n').flatMap((line) => {
    if (line.trim() === '') return [];
    const entry = JSON.parse(line) as Json;
    if (!isObject(entry.message)) return [];
    if (typeof entry.uuid === 'string') {
      if (seen.has(entry.uuid)) return [];
      seen.add(entry.uuid);
    }
    return messageTexts(entry.message);
  });
}

/** A replay export repeats the growing history in each request: the last one holds it all. */
function replayTexts(prompts: readonly unknown[]): readonly string[] {
  const requests = prompts
    .flatMap((prompt) => (isObject(prompt) ? asList(prompt.logs) : []))
    .map((log) => (isObject(log) && isObject(log.requestMessages) ? asList(log.requestMessages.messages) : []));
  return (requests.filter((messages) => messages.length > 0).at(-1) ?? []).flatMap(messageTexts);
}

function documentTexts(text: string): readonly string[] {
  const root = JSON.parse(text) as Json;
  if (Array.isArray(root.prompts)) return replayTexts(root.prompts);
  return asList(root.messages ?? root.history).flatMap(messageTexts);
}

/** All transcripts in the order of their names; empty when the corpus is not there. */
export function readSessions(): readonly SessionTexts[] {
  if (!existsSync(CORPUS_FOLDER)) return [];
  return readdirSync(CORPUS_FOLDER, { withFileTypes: true })
    .filter((folder) => folder.isDirectory())
    .flatMap((folder) => readdirSync(join(CORPUS_FOLDER, folder.name)).map((file) => `${folder.name}/${file}`))
    .sort()
    .map((name) => {
      const text = readFileSync(join(CORPUS_FOLDER, name), 'utf8');
      const texts = name.endsWith('.jsonl') ? lineTexts(text) : documentTexts(text);
      return { name, texts: texts.filter((part) => part !== '') };
    });
}

/** The half that the weights may learn from is every second transcript by name; the other half is never seen. */
export function splitSessions(sessions: readonly SessionTexts[]): { readonly seen: SessionTexts[]; readonly unseen: SessionTexts[] } {
  return { seen: sessions.filter((_, index) => index % 2 === 0), unseen: sessions.filter((_, index) => index % 2 === 1) };
}
