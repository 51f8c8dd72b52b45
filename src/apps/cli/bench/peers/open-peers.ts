// The peers of a folder: installed when they are not yet, started, and taken down.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { UllageError } from '../../../../core/errors.ts';
import type { Strategy } from '../strategies/strategy.ts';
import type { Peer } from './peer.ts';
import { PeerProcess } from './peer-process.ts';
import { peerStrategy } from './peer-strategy.ts';

/** Below the folder the command runs in. */
export const DEFAULT_PEERS_FOLDER = path.join('bench', 'peers');

const HOST = 'host.mjs';
const ADAPTER = 'adapter.mjs';

export interface OpenPeers {
  readonly peers: readonly Peer[];
  readonly strategies: readonly Strategy[];
  close(): void;
}

/** Starts every peer below a folder. Throws option_invalid when it is no folder of peers; a peer that cannot start is told in `peers`. */
export async function openPeers(folder: string, onNote: (text: string) => void): Promise<OpenPeers> {
  const root = path.resolve(folder);
  const host = path.join(root, HOST);
  const names = existsSync(host) ? namesIn(root) : [];
  if (names.length === 0) throw noPeers(folder);
  const processes: PeerProcess[] = [];
  const peers: Peer[] = [];
  const strategies: Strategy[] = [];
  for (const name of names) {
    const own = path.join(root, name);
    const problem = install(own, onNote);
    const process = new PeerProcess(host, own);
    processes.push(process);
    const opened = problem === undefined ? await start(process) : { strategies: [], problem };
    strategies.push(...opened.strategies);
    peers.push({ name, packages: packagesOf(own), strategies: opened.strategies.map((one) => one.name), problem: opened.problem });
  }
  return { peers, strategies, close: () => processes.forEach((one) => void one.close()) };
}

function namesIn(root: string): readonly string[] {
  const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders
    .map(({ name }) => name)
    .filter((name) => existsSync(path.join(root, name, ADAPTER)))
    .sort();
}

function noPeers(folder: string): UllageError {
  return new UllageError('option_invalid', `--peers ${folder}: no peers there (${HOST} and folders with ${ADAPTER} are expected).`, {
    hint: 'The package does not carry them. Clone the repository and run: npm run bench:quality -- --peers, or name its bench/peers folder.',
  });
}

/** Why it could not be installed; undefined when it stands. */
function install(folder: string, onNote: (text: string) => void): string | undefined {
  if (existsSync(path.join(folder, 'node_modules', '.package-lock.json'))) return undefined;
  onNote(`Installing ${path.basename(folder)} to measure it (once, in its own folder) …`);
  const isWindows = process.platform === 'win32';
  const options = { cwd: folder, encoding: 'utf8', shell: isWindows } as const;
  const { status, stderr, error } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], options);
  if (status === 0) return undefined;
  const line = (stderr ?? '').split('\n').find((one) => one.includes('npm error'));
  return `could not be installed: ${error?.message ?? line ?? `npm ended with ${status}`}`;
}

async function start(process: PeerProcess): Promise<{ readonly strategies: readonly Strategy[]; readonly problem?: string }> {
  try {
    const { strategies = [] } = await process.ask({ do: 'open' });
    return { strategies: strategies.map((declared) => peerStrategy(declared, process)) };
  } catch (error) {
    return { strategies: [], problem: `could not be started: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function packagesOf(folder: string): readonly string[] {
  const { dependencies = {} } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    readonly dependencies?: Readonly<Record<string, string>>;
  };
  return Object.entries(dependencies).map(([name, version]) => `${name} ${version}`);
}
