// The import rule of the rooms is enforced by the linter: this proves that it catches what it must, and lets through what it may.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');

const importing = (specifier: string) => `import { x } from '${specifier}';\nexport const y = x;\n`;

/** [file, its text]: each must be refused. */
const FORBIDDEN: readonly (readonly [string, string])[] = [
  ['src/core/plan/a.ts', importing('node:crypto')],
  ['src/core/plan/b.ts', importing('picocolors')],
  ['src/core/plan/c.ts', importing('@scope/package/deep.js')],
  ['src/core/plan/d.ts', importing('../../ports/store.ts')],
  ['src/core/plan/e.ts', importing('../../wire/index.ts')],
  ['src/core/f.ts', importing('../engine/prepare.ts')],
  ['src/core/g.ts', "import type { X } from '../adapters/sqlite/index.ts';\nexport type Y = X;\n"],
  ['src/core/h.ts', "export * from '../apps/cli/main.ts';\n"],
  ['src/core/i.ts', "export const load = () => import('../testkit/index.ts');\n"],
  ['src/core/j.ts', "export type Z = import('../engine/prepare.ts').Z;\n"],
  ['src/core/k.ts', 'export const now = () => Date.now();\n'],
  ['src/core/l.ts', 'export const dice = () => Math.random();\n'],
  ['src/core/plan/m.ts', importing('../../apps/cli/bench/oracle/atoms.ts')],
  ['src/core/plan/n.ts', importing('../../../bench/quality/split.ts')],
  ['src/core/root.ts', importing('../index.ts')],
  ['src/wire/anthropic/a.ts', importing('../../engine/prepare.ts')],
  ['src/wire/anthropic/b.ts', importing('../../ports/store.ts')],
  ['src/wire/anthropic/c.ts', importing('node:buffer')],
  ['src/wire/d.ts', 'export const dice = () => Math.random();\n'],
  ['src/ports/a.ts', importing('../wire/codec.ts')],
  ['src/ports/b.ts', importing('node:stream')],
  ['src/engine/a.ts', importing('../adapters/sqlite/index.ts')],
  ['src/engine/b.ts', importing('../wire/index.ts')],
  ['src/engine/e.ts', importing('../apps/cli/bench/oracle/atoms.ts')],
  ['src/engine/f.ts', importing('../../bench/quality/split.ts')],
  ['src/engine/c.ts', importing('better-sqlite3')],
  ['src/engine/d.ts', 'export const now = () => Date.now();\n'],
  ['src/adapters/sqlite/a.ts', importing('../../apps/cli/main.ts')],
  ['src/adapters/sqlite/b.ts', importing('../../testkit/index.ts')],
  ['src/apps/cli/a.ts', importing('../../testkit/index.ts')],
  ['src/apps/chat/a.ts', importing('../../core/errors.ts')],
  ['src/apps/chat/turn/b.ts', importing('../../../engine/session.ts')],
  ['src/apps/chat/c.ts', importing('../../adapters/sqlite/open.ts')],
  ['src/apps/chat/d.ts', importing('../../adapters/system/index.ts')],
  ['src/apps/cli/bench/oracle/a.ts', importing('../../../../core/plan/terms.ts')],
  ['src/apps/cli/bench/oracle/b.ts', importing('../strategies/ullage.ts')],
  ['src/testkit/a.ts', importing('../apps/cli/main.ts')],
];

/** [file, its text]: each must pass. */
const ALLOWED: readonly (readonly [string, string])[] = [
  ['src/entry.ts', "export * from './core/plan/ok.ts';\n"],
  ['src/core/plan/ok.ts', importing('../size/size.ts')],
  ['src/wire/anthropic/ok.ts', importing('../../core/errors.ts')],
  ['src/ports/ok.ts', importing('../core/errors.ts')],
  ['src/engine/ok.ts', importing('../ports/store.ts')],
  ['src/adapters/sqlite/ok.ts', `${importing('../../engine/prepare.ts')}export * from 'node:fs';\n`],
  ['src/apps/chat/ok.ts', importing('../../adapters/sqlite/index.ts')],
  ['src/apps/chat/turn/root-ok.ts', importing('../../../index.ts')],
  ['src/apps/cli/ok.ts', importing('../../adapters/sqlite/index.ts')],
  ['src/apps/cli/bench/oracle/ok.ts', importing('../../../../core/size/size.ts')],
  ['src/testkit/ok.ts', importing('../adapters/sqlite/index.ts')],
  ['src/core/plan/ok.test.ts', importing('node:fs')],
];

let folder = '';
const refused = new Set<string>();

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'ullage-boundaries-'));
  cpSync(path.join(root, 'lint'), path.join(folder, 'lint'), { recursive: true });
  const config = JSON.parse(readFileSync(path.join(root, 'biome.json'), 'utf8'));
  writeFileSync(path.join(folder, 'biome.json'), JSON.stringify({ ...config, $schema: undefined, vcs: undefined }));
  for (const [file, text] of [...FORBIDDEN, ...ALLOWED]) {
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  writeFileSync(path.join(folder, 'src/index.ts'), "export * from './core/root.ts';\n");
  const biome = path.join(root, 'node_modules/@biomejs/biome/bin/biome');
  const { stdout } = spawnSync(process.execPath, [biome, 'lint', '--reporter=json', '--max-diagnostics=none', 'src'], {
    cwd: folder,
    encoding: 'utf8',
  });
  const report = JSON.parse(stdout) as { diagnostics: { severity: string; location: { path: string } }[] };
  for (const { severity, location } of report.diagnostics) if (severity === 'error') refused.add(location.path);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the import rule of the rooms', () => {
  test.each(FORBIDDEN)('refuses %s: %s', (file) => {
    expect([...refused]).toContain(file);
  });

  test.each(ALLOWED)('lets %s pass: %s', (file) => {
    expect([...refused]).not.toContain(file);
  });
});
