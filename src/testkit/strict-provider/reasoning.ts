// Reasoning items of the Responses API: sealed content is tied to the credential, and what was written after a reasoning item needs it.
import { createHmac } from 'node:crypto';
import { isObject, type JsonObject, listOf, stringOf } from '../../wire/rules.ts';
import { invalidRequest, type Refusal } from './refusal.ts';

const MARK = 'sp1';
/** Not a secret: it tells content of this provider from any other text. */
const KEY = 'ullage strict provider';
/** In an item's id: the item was written after the reasoning item `rs_` with the same digits. */
const NEEDS_REASONING = /^(?:fc|msg)_r(\d+)/;

/** The part of an item's id that follows its type. */
export function itemId(id: string, needsReasoning: boolean): string {
  return needsReasoning ? `r${id}` : id;
}

/** The `encrypted_content` of a reasoning item. */
export function sealReasoning(thinking: string, credential: string): string {
  const words = Buffer.from(thinking).toString('base64url');
  return `${MARK}.${words}.${mac(words, credential)}`;
}

/** Judges the reasoning items of an input. `all`: content sealed elsewhere is refused too. */
export function checkReasoning(body: JsonObject, credential: string, mode: 'bound' | 'all' | 'none'): Refusal | undefined {
  if (mode === 'none') return undefined;
  const seen = new Set<string>();
  for (const item of listOf(body.input)) {
    if (!isObject(item)) continue;
    const id = stringOf(item.id) ?? '';
    if (item.type === 'reasoning') {
      seen.add(id);
      if (!isReadable(item, credential, mode)) return unreadable(id);
    }
    const digits = NEEDS_REASONING.exec(id)?.[1];
    if (digits !== undefined && !seen.has(`rs_${digits}`)) {
      const words = `was provided without its required 'reasoning' item: 'rs_${digits}'.`;
      return invalidRequest(`Item '${id}' of type '${String(item.type)}' ${words}`, 400, 'input');
    }
  }
  return undefined;
}

function isReadable(item: JsonObject, credential: string, mode: 'bound' | 'all'): boolean {
  const content = stringOf(item.encrypted_content);
  if (content === undefined) return true;
  const [mark, words = '', seal, ...rest] = content.split('.');
  if (mark !== MARK) return mode === 'bound';
  return rest.length === 0 && seal === mac(words, credential);
}

function unreadable(id: string): Refusal {
  const message = `The encrypted content for item ${id} could not be verified. Reason: Encrypted content could not be decrypted or parsed.`;
  return { status: 400, type: 'invalid_request_error', code: 'invalid_encrypted_content', message };
}

function mac(words: string, credential: string): string {
  return createHmac('sha256', KEY).update(`${credential}\n${words}`).digest('base64url').slice(0, 22);
}
