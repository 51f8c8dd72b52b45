import { chmodSync, existsSync, linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { scratchFolder } from './testing/scratch.ts';
import { checkOutput, writeOutput } from './write-output.ts';

const scratch = scratchFolder();

describe('an output file', () => {
  test('is written whole, and nothing else is left beside it', async () => {
    const before = readdirSync(scratch.folder);
    await writeOutput(scratch.path('new.json'), 'text');
    expect(readFileSync(scratch.path('new.json'), 'utf8')).toBe('text');
    expect(readdirSync(scratch.folder)).toEqual([...before, 'new.json'].sort());
  });

  test('keeps the mode of the file it replaces, and the link that names it', async () => {
    const file = scratch.write('private.json', 'old');
    chmodSync(file, 0o600);
    symlinkSync('private.json', scratch.path('link.json'));
    await writeOutput(scratch.path('link.json'), 'new');
    expect(readFileSync(file, 'utf8')).toBe('new');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(lstatSync(scratch.path('link.json')).isSymbolicLink()).toBe(true);
  });

  test('a device is written to, not replaced', async () => {
    await writeOutput('/dev/null', 'text');
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  test('what cannot be written is named, and leaves nothing behind', async () => {
    mkdirSync(scratch.path('busy'));
    scratch.write('busy/inside', '');
    await expect(writeOutput(scratch.path('none/x.json'), 'text')).rejects.toMatchObject({ code: 'output_failed', exitCode: 70 });
    expect(existsSync(scratch.path('none'))).toBe(false);
  });
});

describe('what an output may be', () => {
  const input = scratch.write('input.json', '{}');

  test('the input is refused under each of its names, unless that is said', async () => {
    symlinkSync('input.json', scratch.path('input-link.json'));
    linkSync(input, scratch.path('input-hard.json'));
    for (const file of [input, scratch.path('input-link.json'), scratch.path('input-hard.json')]) {
      await expect(checkOutput({ file, input, isForced: false })).rejects.toMatchObject({
        code: 'option_invalid',
        message: expect.stringContaining('it is the input'),
      });
      await expect(checkOutput({ file, input, isForced: true })).resolves.toBeUndefined();
    }
  });

  test('a folder and a file in no folder are refused, another file is not', async () => {
    const refused = { code: 'option_invalid', exitCode: 2 };
    await expect(checkOutput({ file: scratch.folder, input, isForced: true })).rejects.toMatchObject(refused);
    await expect(checkOutput({ file: scratch.path('no/x.json'), input, isForced: true })).rejects.toMatchObject(refused);
    await expect(checkOutput({ file: scratch.write('other.json', 'old'), input, isForced: false })).resolves.toBeUndefined();
    await expect(checkOutput({ file: input, input: '-', isForced: false })).resolves.toBeUndefined();
  });
});
