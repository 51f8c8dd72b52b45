import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { withTemporaryFolder } from './temporary-folder.ts';

test('the folder is there for the work, and gone after it, whatever came of it', async () => {
  const seen: string[] = [];
  const work = async (folder: string) => {
    seen.push(folder);
    writeFileSync(path.join(folder, 'file'), 'text');
    return 'done';
  };
  expect(await withTemporaryFolder(work)).toBe('done');
  const failing = async (folder: string) => {
    await work(folder);
    throw new Error('failed');
  };
  await expect(withTemporaryFolder(failing)).rejects.toThrow('failed');
  expect(new Set(seen).size).toBe(2);
  expect(seen.map((folder) => existsSync(folder))).toEqual([false, false]);
  expect(process.listenerCount('SIGHUP')).toBe(0);
});
