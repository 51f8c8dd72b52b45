// The peers of a folder: installed when they are not yet, started, and taken down.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { UllageError } from '../../../../core/errors.ts';
import type { Strategy } from '../strategies/strategy.ts';
import { closeOnEnd } from './close-on-end.ts';
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

/**
 * Starts every peer below a folder. Throws option_invalid when it is no folder of peers; a peer that cannot start is told in `peers`. Without
 * `close` their processes end with this one, also when it is interrupted. `taken` are names that no row of theirs may have.
 */
export async function openPeers(
  folder: string,
  { onNote, taken }: { readonly onNote: (text: string) => void; readonly taken: readonly string[] },
): Promise<OpenPeers> {
  const root = path.resolve(folder);
  const host = path.join(root, HOST);
  const names = existsSync(host) ? namesIn(root) : [];
  if (names.length === 0) throw noPeers(folder);
  const processes: PeerProcess[] = [];
  const close = closeOnEnd(() => processes.forEach((one) => void one.close()));
  const peers: Peer[] = [];
  const strategies: Strategy[] = [];
  for (const name of names) {
    const own = path.join(root, name);
    const process = new PeerProcess(host, own);
    processes.push(process);
    const known = new Set([...taken, ...strategies.map((one) => one.name)]);
    const opened = await openPeer(own, { process, onNote, taken: known }).catch((error: unknown) => failed(error));
    strategies.push(...opened.strategies);
    const rows = opened.strategies.map((one) => one.name);
    peers.push({ name, packages: opened.packages, strategies: rows, problem: opened.problem });
  }
  return { peers, strategies, close };
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

interface Opened {
  readonly packages: readonly string[];
  readonly strategies: readonly Strategy[];
  readonly problem?: string;
}

interface Opening {
  readonly process: PeerProcess;
  readonly onNote: (text: string) => void;
  readonly taken: ReadonlySet<string>;
}

/** Rejects when it cannot be read or started. */
async function openPeer(folder: string, { process, onNote, taken }: Opening): Promise<Opened> {
  const versions = versionsOf(folder);
  const packages = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const problem = install(folder, versions, onNote);
  if (problem !== undefined) return { packages, strategies: [], problem };
  try {
    const { strategies = [] } = await process.ask({ do: 'open' });
    const double = strategies.find(({ name }) => taken.has(name));
    if (double !== undefined) return { packages, strategies: [], problem: `its row “${double.name}” has a name that another row has` };
    return { packages, strategies: strategies.map((declared) => peerStrategy(declared, process)) };
  } catch (error) {
    return { ...failed(error), packages };
  }
}

function failed(error: unknown): Opened {
  return { packages: [], strategies: [], problem: `could not be started: ${error instanceof Error ? error.message : String(error)}` };
}

/** Why it could not be installed; undefined when it stands, in these versions. */
function install(folder: string, versions: Versions, onNote: (text: string) => void): string | undefined {
  if (isInstalled(folder, versions)) return undefined;
  onNote(`Installing ${path.basename(folder)} to measure it (once, in its own folder) …`);
  const isWindows = process.platform === 'win32';
  const options = { cwd: folder, encoding: 'utf8', shell: isWindows } as const;
  const { status, stderr, error } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], options);
  if (status === 0) return undefined;
  const line = (stderr ?? '').split('\n').find((one) => one.includes('npm error'));
  return `could not be installed: ${error?.message ?? line ?? `npm ended with ${status}`}`;
}

/** The file is written last: an installation that was interrupted has none. */
function isInstalled(folder: string, versions: Versions): boolean {
  const file = path.join(folder, 'node_modules', '.package-lock.json');
  if (!existsSync(file)) return false;
  const { packages = {} } = JSON.parse(readFileSync(file, 'utf8')) as { readonly packages?: Record<string, { readonly version?: string }> };
  return Object.entries(versions).every(([name, version]) => packages[`node_modules/${name}`]?.version === version);
}

/** Packages and exact versions. */
type Versions = Readonly<Record<string, string>>;

function versionsOf(folder: string): Versions {
  const file = path.join(folder, 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly dependencies?: Versions }).dependencies ?? {};
}
