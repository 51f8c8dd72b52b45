import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readText } from './read-text.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'ullage-input-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const NOTHING = Readable.from([]);

function fileOf(name: string, content: string | Buffer): string {
  const file = path.join(folder, name);
  writeFileSync(file, content);
  return file;
}

describe('reading a transcript', () => {
  test('a file, with its byte order mark removed', async () => {
    const file = fileOf('a.json', '\ufeff{"é":"日"}');
    expect(await readText(file, { stdin: NOTHING })).toEqual({ name: file, text: '{"é":"日"}' });
  });

  test('standard input, in pieces that cut a letter in two', async () => {
    const bytes = Buffer.from('{"é":1}');
    const stdin = Readable.from([bytes.subarray(0, 3), bytes.subarray(3)]);
    expect(await readText('-', { stdin })).toEqual({ name: 'standard input', text: '{"é":1}' });
  });

  test('a missing file, a directory', async () => {
    await expect(readText(path.join(folder, 'none'), { stdin: NOTHING })).rejects.toMatchObject({
      code: 'transcript_invalid',
      exitCode: 65,
      message: expect.stringContaining('none cannot be read: no such file'),
    });
    await expect(readText(folder, { stdin: NOTHING })).rejects.toMatchObject({
      code: 'transcript_invalid',
      message: expect.stringContaining('is a directory'),
    });
  });

  test('a file over the limit is refused by its size, standard input while it is read', async () => {
    const file = fileOf('large.json', 'x'.repeat(2000));
    const message = expect.stringContaining('the limit is 1 KB');
    await expect(readText(file, { stdin: NOTHING, limitBytes: 1024 })).rejects.toMatchObject({
      code: 'input_too_large',
      exitCode: 65,
      message,
    });
    let pulled = 0;
    const endless = Readable.from(
      (function* () {
        for (;;) {
          pulled += 1;
          yield Buffer.alloc(500, 'x');
        }
      })(),
      { highWaterMark: 1 },
    );
    await expect(readText('-', { stdin: endless, limitBytes: 1024 })).rejects.toMatchObject({ code: 'input_too_large', message });
    expect(pulled).toBeLessThan(10);
  });

  test.each([
    ['gzip', gzipSync('{}'), 'is compressed with gzip'],
    ['UTF-16', Buffer.from('\ufeff{}', 'utf16le'), 'is UTF-16 text'],
    ['binary', Buffer.from([0x7b, 0x00, 0x01]), 'holds binary data: a zero byte at offset 1'],
    ['Latin-1', Buffer.concat([Buffer.from('{}\n{}\n"'), Buffer.from([0xe9]), Buffer.from('"\n')]), 'is not valid UTF-8 in line 3'],
    ['a letter cut off at the end', Buffer.from('{"é').subarray(0, 3), 'is not valid UTF-8 in line 1'],
  ])('%s is refused with what it is', async (_, content, message) => {
    const file = fileOf('odd', content);
    await expect(readText(file, { stdin: NOTHING })).rejects.toMatchObject({
      code: 'transcript_invalid',
      exitCode: 65,
      message: expect.stringContaining(`${file} ${message}`),
    });
  });
});
