// `npm start`: builds when dist/ is missing or older than the sources, then runs the command line: the demo, or what is asked for.
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const command = path.join(root, 'dist/apps/cli/main.js');
const run = (args) => spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;

function changedAtMs(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function isStale() {
  const builtAtMs = changedAtMs(command);
  const sources = readdirSync(path.join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name));
  const inputs = [...sources, path.join(root, 'package.json'), path.join(root, 'tsconfig.json'), path.join(root, 'tsconfig.build.json')];
  return inputs.some((file) => changedAtMs(file) > builtAtMs);
}

if (isStale()) {
  console.error('Building …');
  const status = run([path.join(root, 'scripts/build.mjs')]);
  if (status !== 0) process.exit(status);
}
const args = process.argv.slice(2);
process.exit(run([command, ...(args.length > 0 ? args : ['demo'])]));
