// The package as it is installed: compiled. A loader of TypeScript sources names every function as it runs, which a gateway would be charged for.
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const ROOT = path.join(import.meta.dirname, '../..');

/** Builds it into a folder of its own, beside what else is built, and answers that folder. */
export function buildPackage(): string {
  const folder = path.join(ROOT, 'tmp', 'bench-package');
  const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc');
  const args = ['-p', path.join(ROOT, 'tsconfig.build.json'), '--outDir', folder, '--declaration', 'false'];
  const { status } = spawnSync(process.execPath, [compiler, ...args], { stdio: 'inherit' });
  if (status !== 0) throw new Error('The package cannot be built: see above.');
  return folder;
}
