// Everything ever said, folded or not: search by words, read by handle.
import { UllageError } from '../core/errors.ts';
import { entryHandle, type Message, type Part } from '../core/transcript/entry.ts';
import type { SearchHit, StoredEntry } from '../ports/store.ts';
import type { Context } from './context.ts';

/** A stored message that a search found. */
export interface Hit extends SearchHit {
  /** Give it to `read`. */
  readonly handle: string;
}

/** Which lines `session.read` gives. */
export interface ReadOptions {
  /** First and last line, from 1, inclusive. Default: all. */
  readonly fromLine?: number;
  readonly toLine?: number;
}

const INDEX_BATCH = 200;

export function messageText(message: Message): string {
  return message.parts
    .map(partText)
    .filter((text) => text !== '')
    .join('\n');
}

export function partText(part: Part): string {
  switch (part.kind) {
    case 'text':
    case 'result':
    case 'thinking':
      return part.text;
    case 'call':
      return `${part.name} ${part.argumentsText}`;
    default:
      return '';
  }
}

/** Fills full-text rows that are missing, at most `batches` × 200. Returns true when none is left. */
export async function indexNew(context: Context, sessionId: string, batches = Number.POSITIVE_INFINITY): Promise<boolean> {
  const { tenant } = context;
  for (let batch = 0; batch < batches; batch++) {
    const entries = await context.store.unindexedEntries({ tenant, sessionId, limit: INDEX_BATCH });
    if (entries.length === 0) return true;
    const rows = entries.map((entry) => ({
      chain: entry.chain,
      text: messageText(context.wire.codecFor(entry.api).decodeMessage(entry.raw ?? '{}')),
    }));
    await context.store.indexEntries({ tenant, sessionId, rows });
  }
  return false;
}

/** Throws not_stored with storage 'none'. */
export async function searchSession(context: Context, sessionId: string, query: { text: string; limit: number }): Promise<readonly Hit[]> {
  if (context.store.storage === 'none')
    throw new UllageError('not_stored', 'This store keeps no message texts (storage: none); there is nothing to search.');
  await indexNew(context, sessionId);
  const hits = await context.store.search({ tenant: context.tenant, sessionId, ...query });
  return hits.map((hit) => ({ ...hit, handle: entryHandle(hit.chain) }));
}

function checkLines(options: ReadOptions): void {
  for (const [name, value] of Object.entries({ fromLine: options.fromLine, toLine: options.toLine })) {
    if (value === undefined || (Number.isInteger(value) && value >= 1)) continue;
    throw new UllageError('option_invalid', `Option ${name} is ${String(value)}; it must be a line number, from 1.`);
  }
}

/** Throws handle_not_found, not_stored, option_invalid. */
export async function readHandle(context: Context, sessionId: string, request: { handle: string; options: ReadOptions }): Promise<string> {
  checkLines(request.options);
  const text = await fullText(context, sessionId, request.handle);
  const { fromLine = 1, toLine } = request.options;
  if (fromLine === 1 && toLine === undefined) return text;
  return text
    .split('\n')
    .slice(fromLine - 1, toLine)
    .join('\n');
}

const ENTRY_HANDLE = /^e_([0-9a-f]{12,64})(?:\.(\d{1,6}))?$/;
const FOLD_HANDLE = /^f_([A-Za-z0-9-]{1,64})$/;

async function fullText(context: Context, sessionId: string, handle: string): Promise<string> {
  const entry = ENTRY_HANDLE.exec(handle);
  if (entry) return entryText(context, sessionId, { handle, chainPrefix: entry[1]!, part: entry[2] });
  const fold = FOLD_HANDLE.exec(handle);
  if (fold) return foldText(context, sessionId, { handle, viewId: fold[1]! });
  throw unknownHandle(handle);
}

function unknownHandle(handle: string): UllageError {
  return new UllageError('handle_not_found', `Nothing is stored under the handle ${JSON.stringify(handle.slice(0, 80))}.`);
}

async function entryText(
  context: Context,
  sessionId: string,
  wanted: { handle: string; chainPrefix: string; part?: string },
): Promise<string> {
  const found = await context.store.findEntry({ tenant: context.tenant, sessionId, chainPrefix: wanted.chainPrefix });
  if (!found) throw unknownHandle(wanted.handle);
  const message = context.wire.codecFor(found.api).decodeMessage(rawOf(found));
  if (wanted.part === undefined) return messageText(message);
  const part = message.parts[Number(wanted.part)];
  if (!part) throw unknownHandle(wanted.handle);
  return part.kind === 'call' ? part.argumentsText : partText(part);
}

function rawOf(entry: StoredEntry): string {
  if (entry.raw === undefined) throw new UllageError('not_stored', 'This store keeps no message texts (storage: none).');
  return entry.raw;
}

async function foldText(context: Context, sessionId: string, wanted: { handle: string; viewId: string }): Promise<string> {
  const { tenant } = context;
  const view = await context.store.view({ tenant, viewId: wanted.viewId });
  const fold = view?.body.fold;
  if (!fold) throw unknownHandle(wanted.handle);
  const last = await context.store.findEntry({ tenant, sessionId, chainPrefix: fold.toChain });
  if (!last) throw unknownHandle(wanted.handle);
  const entries = await context.store.readEntries({ tenant, sessionId, tip: fold.toChain });
  const codec = context.wire.codecFor(last.api);
  return entries
    .map((entry) => `[${entryHandle(entry.chain)} ${entry.role}]\n${messageText(codec.decodeMessage(rawOf(entry)))}`)
    .join('\n\n');
}
