// Reads a transcript's text from a file or from standard input, within a size limit, and says plainly what cannot be read.
import { isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { UllageError } from '../../../core/errors.ts';
import { formatBytes } from '../terminal/numbers.ts';

/** Larger inputs are refused: the whole text is held in memory, several times over. */
export const DEFAULT_LIMIT_BYTES = 100 * 1024 * 1024;

/** The longest text the runtime can hold is a little more than this. */
export const MOST_BYTES = 500 * 1024 * 1024;

const STDIN_NAME = 'standard input';
const GZIP_MAGIC = [0x1f, 0x8b];
const UTF16_MARKS = ['fffe', 'feff'];

export interface ReadOptions {
  /** Where `-` reads from. */
  readonly stdin: Readable;
  /** Bytes; default 100 MB. */
  readonly limitBytes?: number;
  /** Called with the bytes read so far. */
  readonly onProgress?: (readBytes: number) => void;
}

export interface SourceText {
  /** What messages call it. */
  readonly name: string;
  readonly text: string;
}

/** Reads a file, or standard input for `-`. Throws transcript_invalid or input_too_large. */
export async function readText(file: string, options: ReadOptions): Promise<SourceText> {
  const limitBytes = options.limitBytes ?? DEFAULT_LIMIT_BYTES;
  const name = file === '-' ? STDIN_NAME : file;
  const collector = createCollector(name, limitBytes, options.onProgress);
  if (file === '-') for await (const chunk of options.stdin) collector.add(Buffer.from(chunk));
  else await readFileInto(file, limitBytes, collector);
  return { name, text: decode(name, collector.bytes()) };
}

interface Collector {
  add(chunk: Buffer): void;
  bytes(): Buffer;
}

function createCollector(name: string, limitBytes: number, onProgress: ReadOptions['onProgress']): Collector {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  return {
    add(chunk) {
      sizeBytes += chunk.length;
      if (sizeBytes > limitBytes) throw tooLarge(name, `more than ${formatBytes(limitBytes)}`, limitBytes);
      chunks.push(chunk);
      onProgress?.(sizeBytes);
    },
    bytes: () => Buffer.concat(chunks),
  };
}

function tooLarge(name: string, size: string, limitBytes: number): UllageError {
  return new UllageError('input_too_large', `${name} holds ${size}; the limit is ${formatBytes(limitBytes)}.`, {
    hint: 'Split the file, or raise the limit with --max-size.',
    details: { limitBytes },
  });
}

async function readFileInto(file: string, limitBytes: number, collector: Collector): Promise<void> {
  const handle = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    throw unreadable(file, error);
  });
  try {
    const stat = await handle.stat();
    if (stat.isDirectory()) {
      throw new UllageError('transcript_invalid', `${file} is a directory: expected a transcript file.`, {
        hint: 'Name one file inside it.',
      });
    }
    if (stat.size > limitBytes) throw tooLarge(file, formatBytes(stat.size), limitBytes);
    for await (const chunk of handle.createReadStream({ autoClose: false })) collector.add(chunk as Buffer);
  } finally {
    await handle.close();
  }
}

function unreadable(file: string, error: NodeJS.ErrnoException): UllageError {
  const reasons: Record<string, string> = { ENOENT: 'no such file', EACCES: 'permission denied', EISDIR: 'it is a directory' };
  const reason = reasons[error.code ?? ''] ?? error.code ?? error.message;
  return new UllageError('transcript_invalid', `${file} cannot be read: ${reason}.`, {
    cause: error,
    hint: 'Check the path, or pass - to read standard input.',
  });
}

function decode(name: string, bytes: Buffer): string {
  const refuse = (what: string, hint: string) => new UllageError('transcript_invalid', `${name} ${what}.`, { hint });
  if (GZIP_MAGIC.every((byte, index) => bytes[index] === byte)) {
    throw refuse('is compressed with gzip: expected JSON or JSONL text', `Unpack it first: gunzip -c FILE | ullage inspect -`);
  }
  if (UTF16_MARKS.includes(bytes.subarray(0, 2).toString('hex'))) {
    throw refuse('is UTF-16 text: expected UTF-8', 'Save it as UTF-8.');
  }
  const zero = bytes.indexOf(0);
  if (zero >= 0) throw refuse(`holds binary data: a zero byte at offset ${zero}`, 'Pass a transcript in JSON or JSONL.');
  if (!isUtf8(bytes)) throw refuse(`is not valid UTF-8 in line ${badLine(bytes)}`, 'Save it as UTF-8.');
  return new TextDecoder('utf-8').decode(bytes);
}

/** The first line that is not valid UTF-8, from 1. */
function badLine(bytes: Buffer): number {
  let start = 0;
  for (let line = 1; ; line += 1) {
    const next = bytes.indexOf(10, start);
    if (next < 0 || !isUtf8(bytes.subarray(start, next))) return line;
    start = next + 1;
  }
}
