// Compaction blocks that were made on demand (Messages) and come back: signed over their text, one alone, and before everything else.
import { createHash, createHmac } from 'node:crypto';
import { isObject, type JsonObject, listOf, stringOf } from '../../wire/rules.ts';
import { invalidRequest, type Refusal } from './refusal.ts';

const MARK = 'sp1c';
/** Not a secret: it tells signatures of this provider from any other text, in this process or another. */
const KEY = 'ullage strict provider';

/** The signature of a block with this text. */
export function signCompaction(content: string): string {
  const words = createHash('sha256').update(content).digest('base64url').slice(0, 16);
  return `${MARK}.${words}.${mac(words)}`;
}

/** Judges every signed compaction block of a request. Blocks made at a threshold have no signature and may stand anywhere. */
export function checkCompactionBlocks(body: JsonObject, mode: 'bound' | 'all' | 'none'): Refusal | undefined {
  const blocks = listOf(body.messages).flatMap((message, index) =>
    isObject(message) ? listOf(message.content).flatMap((block, at) => (isSigned(block) ? [{ block, index, at }] : [])) : [],
  );
  const [first, second] = blocks;
  if (first === undefined) return undefined;
  if (second !== undefined) return refusal('ambiguous', pathOf(second), 'there can be only one `compaction` block with content');
  if (first.index > 0 || first.at > 0) return refusal('misplaced', pathOf(first), 'a `compaction` block must come before everything else');
  return mode === 'none' ? undefined : checkSignature(first.block, pathOf(first), mode);
}

function checkSignature(block: JsonObject, path: string, mode: 'bound' | 'all'): Refusal | undefined {
  const signature = stringOf(block.signature) ?? '';
  const [mark, words = ''] = signature.split('.');
  const isOurs = mark === MARK;
  if ((!isOurs && mode === 'all') || (isOurs && signature !== `${MARK}.${words}.${mac(words)}`)) {
    return refusal('signature', path, 'invalid `signature` in `compaction` block');
  }
  const isEdited = isOurs && signature !== signCompaction(stringOf(block.content) ?? '');
  return isEdited ? refusal('content', path, 'the content of the `compaction` block is not what was signed') : undefined;
}

const CODES = {
  ambiguous: 'compaction_block_ambiguous',
  misplaced: 'compaction_block_misplaced',
  signature: 'compaction_signature_invalid',
  content: 'compaction_content_mismatch',
} as const;

function refusal(code: keyof typeof CODES, path: string, words: string): Refusal {
  return { ...invalidRequest(`${path}: ${words}`), errorCode: CODES[code] };
}

function pathOf({ index, at }: { readonly index: number; readonly at: number }): string {
  return `messages.${index}.content.${at}`;
}

function isSigned(block: unknown): block is JsonObject {
  return isObject(block) && block.type === 'compaction' && typeof block.content === 'string' && Boolean(stringOf(block.signature));
}

function mac(words: string): string {
  return createHmac('sha256', KEY).update(`compaction\n${words}`).digest('base64url').slice(0, 22);
}
