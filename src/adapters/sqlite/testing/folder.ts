// A folder for the database of one test, and the bytes that stand in it.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filesOf } from '../file.ts';

/** Runs the test with the path of a database that does not exist yet, in a folder of its own. */
export async function withPath(body: (path: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ullage-sqlite-'));
  try {
    await body(join(folder, 'agent.db'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Those of the texts that stand anywhere in the database, its log or its shared memory. */
export function foundInFiles(path: string, texts: readonly string[]): string[] {
  const files = filesOf(path).filter((file) => existsSync(file));
  const contents = files.map((file) => readFileSync(file));
  return texts.filter((text) => contents.some((content) => content.includes(text)));
}
