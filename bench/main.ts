// All figures of docs/benchmarks.md in one run: speed first, then what a compaction keeps. Run: npm run bench
// (--peers measures other projects, too; what is missing of the build is built first)
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

const BENCHES = ['estimator', 'compaction', 'prepare', 'exchange', 'startup', 'quality/main'];
const ROOT = path.join(import.meta.dirname, '..');

function run(args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}

if (!existsSync(path.join(ROOT, 'dist', 'apps', 'cli', 'main.js'))) {
  console.error('Building …');
  run([path.join(ROOT, 'scripts', 'build.mjs')]);
}
for (const name of BENCHES) {
  console.log(`\n== ${name}`);
  const own = name.startsWith('quality') ? process.argv.slice(2) : [];
  run(['--expose-gc', '--import', 'tsx', path.join(import.meta.dirname, `${name}.ts`), ...own]);
}
