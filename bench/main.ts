// All speed figures of docs/benchmarks.md in one run. Run: npm run bench
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const BENCHES = ['estimator', 'compaction', 'prepare', 'startup'];

for (const name of BENCHES) {
  console.log(`\n== ${name}`);
  const file = path.join(import.meta.dirname, `${name}.ts`);
  const { status } = spawnSync(process.execPath, ['--expose-gc', '--import', 'tsx', file], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
