// `ullage --version` against `node -e 0`, pair by pair. Run after a build: npx tsx bench/startup.ts
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { median } from './median.ts';

const ROUNDS = 15;
const command = path.join(import.meta.dirname, '..', 'dist', 'apps', 'cli', 'main.js');

function timeMs(args: readonly string[]): number {
  const start = performance.now();
  const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' });
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}; build first: npm run build`);
  return performance.now() - start;
}

const pairs = Array.from({ length: ROUNDS }, () => ({ empty: timeMs(['-e', '0']), version: timeMs([command, '--version']) }));
const ratio = median(pairs.map(({ empty, version }) => version / empty));
console.log(
  `--version ${median(pairs.map((pair) => pair.version)).toFixed(0)} ms, node -e 0 ${median(pairs.map((pair) => pair.empty)).toFixed(0)} ms, ratio ${ratio.toFixed(2)}`,
);
