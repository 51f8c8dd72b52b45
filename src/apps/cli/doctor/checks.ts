// What is looked at, one check after the other. A check that fails never hides another.
import { statSync } from 'node:fs';
import path from 'node:path';
import { loadSqliteDriver, sqliteStore } from '../../../adapters/sqlite/index.ts';
import { exactCounter } from '../../../adapters/tokenizer/index.ts';
import { openDatabase } from '../shared/database.ts';
import { DEFAULT_DATABASE } from '../shared/default-database.ts';
import { withTemporaryFolder } from '../shared/temporary-folder.ts';
import { packageVersion } from '../version.ts';

export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  /** Without it no store can be used. */
  readonly isStore?: boolean;
}

/** The oldest runtime that is supported. */
const LEAST_NODE = { major: 20, minor: 12 } as const;
/** Others may not read or write what a conversation holds. */
const FOREIGN_MODES = 0o077;

export async function runChecks(db: string | undefined): Promise<readonly Check[]> {
  return [
    { name: 'ullage', ok: true, detail: packageVersion() },
    checkNode(process.versions.node),
    await attempt({ name: 'SQLite library', isStore: true }, async () => (await loadSqliteDriver()).name),
    await attempt({ name: 'a new database', isStore: true }, checkNewDatabase),
    await attempt({ name: 'exact tokenizer' }, checkTokenizer),
    ...(await checkDatabase(db)),
  ];
}

/** Exported for tests. */
export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const ok = major > LEAST_NODE.major || (major === LEAST_NODE.major && minor >= LEAST_NODE.minor);
  return { name: 'Node.js', ok, detail: ok ? version : `${version}; ${LEAST_NODE.major}.${LEAST_NODE.minor} or newer is needed` };
}

async function attempt(check: Pick<Check, 'name' | 'isStore'>, work: () => Promise<string>): Promise<Check> {
  try {
    return { ...check, ok: true, detail: await work() };
  } catch (error) {
    return { ...check, ok: false, detail: error instanceof Error ? error.message : String(error) };
  }
}

async function checkNewDatabase(): Promise<string> {
  return withTemporaryFolder(async (folder) => {
    const store = sqliteStore(path.join(folder, 'doctor.db'));
    await store.open();
    try {
      await store.ensureSession({ tenant: 'local', key: 'doctor', sessionId: 'doctor', atMs: 0 });
      return 'opens, is written and read, can search';
    } finally {
      await store.close();
    }
  });
}

const SAMPLE = 'Headroom for long conversations.';

async function checkTokenizer(): Promise<string> {
  const counter = await exactCounter();
  const tokens = counter.count(SAMPLE);
  if (tokens < 1) throw new Error(`it counts ${tokens} tokens in a sentence`);
  return `${counter.name}, loaded on demand`;
}

async function checkDatabase(db: string | undefined): Promise<readonly Check[]> {
  const file = db ?? DEFAULT_DATABASE;
  const existing = statSync(file, { throwIfNoEntry: false });
  if (existing === undefined && db === undefined) {
    return [{ name: 'database', ok: true, detail: `no ${DEFAULT_DATABASE} in this folder; --db names another` }];
  }
  const wasOpenToOthers = process.platform !== 'win32' && existing?.isFile() === true && (existing.mode & FOREIGN_MODES) !== 0;
  try {
    const store = await openDatabase(file, { mustExist: true });
    try {
      const checks = await store.check();
      return checks.map((check) => ({ ...check, isStore: true, detail: detailOf(check, wasOpenToOthers) }));
    } finally {
      await store.close();
    }
  } catch (error) {
    return [{ name: 'database', ok: false, isStore: true, detail: error instanceof Error ? error.message : String(error) }];
  }
}

function detailOf({ name, detail }: Check, wasOpenToOthers: boolean): string {
  return name === 'file modes' && wasOpenToOthers ? `${detail}; until now others could, too` : detail;
}
