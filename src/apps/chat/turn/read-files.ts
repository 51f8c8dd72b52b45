// Files that came along with words, as parts of the person's message: pictures as they are, text documents as text. What cannot be read is told,
// each with its reason.
import type { ImagePart, TextPart } from 'ai';
import { type FetchFile, FileRefused } from '../channel.ts';
import type { FileRef } from '../store/rows.ts';
import { megabytes } from '../text/numbers.ts';
import type { TurnRun } from './turn-run.ts';

/** 5 MB as base64, which is what providers count (https://docs.claude.com/en/docs/build-with-claude/vision). */
const MOST_IMAGE_BYTES = 3_750_000;
/** UTF-8 has no more for a character of UTF-16. */
const MOST_BYTES_A_CHAR = 3;
/** Waits between repeats, milliseconds. */
const PAUSES_MS = [1_000, 3_000];

export interface ReadFiles {
  readonly parts: readonly (ImagePart | TextPart)[];
  /** Why what is missing is missing, a sentence each. */
  readonly refusals: readonly string[];
}

type Reading = ImagePart | TextPart | string;

export async function readFiles(run: TurnRun): Promise<ReadFiles> {
  const parts: ReadFiles['parts'][number][] = [];
  const refusals: string[] = [];
  for (const file of run.item.files ?? []) {
    const read = await readFile(run, file);
    if (typeof read === 'string') refusals.push(`The ${nameOf(file)} could not be read: ${read}.`);
    else parts.push(read);
  }
  return { parts, refusals };
}

const nameOf = ({ kind, name }: FileRef): string => (kind === 'image' ? name : `file ${name}`);

/** A part, or why there is none. */
async function readFile(run: TurnRun, file: FileRef): Promise<Reading> {
  const { images, maxMessageChars } = run.chat.profile;
  if (file.kind === 'image' && !images) return 'the model of this bot takes no pictures';
  const maxBytes = file.kind === 'image' ? MOST_IMAGE_BYTES : MOST_BYTES_A_CHAR * maxMessageChars;
  if (file.sizeBytes !== undefined && file.sizeBytes > maxBytes) return tooLarge(maxBytes, file.sizeBytes);
  try {
    const bytes = await fetched(run, file, maxBytes);
    if (bytes === undefined) return tooLarge(maxBytes);
    return file.kind === 'image' ? imagePart(bytes) : textPart(file, bytes, maxMessageChars);
  } catch (error) {
    run.signal.throwIfAborted();
    if (error instanceof FileRefused) return error.message;
    run.chat.log.write('warn', 'A file could not be fetched.', { error: run.chat.secrets.redact(String(error)) });
    return 'it could not be fetched at the moment; send it again later';
  }
}

function tooLarge(maxBytes: number, bytes?: number): string {
  return `it has ${bytes === undefined ? 'more bytes' : megabytes(bytes)}, and ${megabytes(maxBytes)} are taken`;
}

async function fetched(run: TurnRun, file: FileRef, maxBytes: number): ReturnType<FetchFile> {
  if (run.fetchFile === undefined) throw new FileRefused('files cannot be read here');
  for (let attempt = 0; ; attempt++) {
    try {
      return await run.fetchFile(file, maxBytes, run.signal);
    } catch (error) {
      run.signal.throwIfAborted();
      const pauseMs = PAUSES_MS[attempt];
      if (error instanceof FileRefused || pauseMs === undefined) throw error;
      await run.wait(pauseMs);
    }
  }
}

/** First bytes of the pictures that models take. What a sender calls a picture need not be one, and would be refused with every later request. */
const SIGNATURES: readonly (readonly [string, RegExp])[] = [
  ['image/jpeg', /^ffd8ff/],
  ['image/png', /^89504e470d0a1a0a/],
  ['image/gif', /^474946383[79]61/],
  ['image/webp', /^52494646.{8}57454250/],
];

function imagePart(bytes: Uint8Array): Reading {
  const image = Buffer.from(bytes);
  const head = image.toString('hex', 0, 12);
  const mediaType = SIGNATURES.find(([, signature]) => signature.test(head))?.[0];
  if (mediaType === undefined) return 'it is no JPEG, PNG, GIF or WebP picture';
  return { type: 'image', image: image.toString('base64'), mediaType };
}

function textPart({ name }: FileRef, bytes: Uint8Array, maxChars: number): Reading {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return 'it is no text in UTF-8';
  }
  if (text.includes('\0')) return 'it is no text';
  if (text.length > maxChars) return `it has ${text.length} characters, and ${maxChars} are taken`;
  return { type: 'text', text: `[The file ${name}]\n${text}` };
}
