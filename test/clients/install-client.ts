// Installs a pinned client into a cache folder, once: as its lock file says. Not with `npm ci`, which refuses locks that lack other platforms' binaries.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const PACKAGES = path.join(import.meta.dirname, 'packages');
const CACHE = path.join(process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'), 'ullage', 'clients');
const INSTALL_LIMIT_MS = 300_000;

/** Where the client is, once it is installed. */
export function clientFolder(name: string): string {
  return path.join(CACHE, name);
}

/** The folder that holds the client's node_modules. Throws with npm's own words when it cannot be installed. */
export function installClient(name: string): string {
  const folder = clientFolder(name);
  const lock = readFileSync(path.join(PACKAGES, name, 'package-lock.json'), 'utf8');
  const marker = path.join(folder, 'installed.json');
  if (existsSync(marker) && readFileSync(marker, 'utf8') === lock) return folder;
  mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(path.join(PACKAGES, name, file), path.join(folder, file));
  const { status, stderr } = spawnSync('npm', ['install', '--no-fund', '--no-audit'], {
    cwd: folder,
    encoding: 'utf8',
    timeout: INSTALL_LIMIT_MS,
  });
  if (status !== 0) throw new Error(`The client ${name} could not be installed: ${stderr.slice(-2_000)}`);
  writeFileSync(marker, lock);
  return folder;
}
