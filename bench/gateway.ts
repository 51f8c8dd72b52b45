// What a gateway costs and saves, against the same requests sent directly. Run: npx tsx bench/gateway.ts [first-byte|load|streams|cost] [--minute]
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Pool } from 'undici';
import { buildPackage } from './gateway/build.ts';
import { ask, conversation } from './gateway/client.ts';
import { compareCosts } from './gateway/costs.ts';
import { type BenchProcess, startProcess } from './gateway/process.ts';
import { median } from './median.ts';

const PATH = '/v1/chat/completions';
/** A conversation grows by 0.9 KB a round: a short one is begun anew before it is no longer short. */
const SIZES = [
  { name: '2 KB', bytes: 2_000, rounds: 300, warmUpRounds: 600, roundsPerTalk: 4 },
  { name: '200 KB', bytes: 200_000, rounds: 60, warmUpRounds: 60, roundsPerTalk: 120 },
  { name: '2 MB', bytes: 2_000_000, rounds: 20, warmUpRounds: 10, roundsPerTalk: 30 },
];
/** What an answer leaves to be done shall not be charged to the request after it. */
const REST_MS = 5;
const ADDED_MS = 1;
const PARSES = 4;

interface Servers {
  readonly direct: Pool;
  readonly through: Pool;
  readonly gateway: BenchProcess;
}

async function firstBytes({ direct, through }: Servers): Promise<void> {
  for (const { name, bytes, rounds, warmUpRounds, roundsPerTalk } of SIZES) {
    let bodies = conversation(name, bytes);
    const parses: number[] = [];
    const added: number[] = [];
    const passed: number[] = [];
    const base: number[] = [];
    for (let round = 0; round < rounds + warmUpRounds; round++) {
      const talk = Math.floor(round / roundsPerTalk);
      if (round % roundsPerTalk === 0) bodies = conversation(`${name} ${talk}`, bytes);
      const body = bodies.next().value as string;
      const request = { body, stream: '3,0' };
      // Which goes first changes each round. A path that nobody reads shows what a proxy alone costs here.
      const ways = [
        { name: 'direct', pool: direct, path: PATH },
        { name: 'through', pool: through, path: `/s/first-${bytes}-${talk}${PATH}` },
        { name: 'passed', pool: through, path: '/v1/unread' },
      ];
      const took: Record<string, number> = {};
      for (const way of [...ways.slice(round % 3), ...ways.slice(0, round % 3)]) {
        await new Promise((resolve) => setTimeout(resolve, REST_MS));
        took[way.name] = (await ask(way.pool, { ...request, path: way.path })).firstByteMs;
      }
      const startedMs = performance.now();
      JSON.parse(body);
      const parseMs = performance.now() - startedMs;
      if (round < warmUpRounds) continue;
      parses.push(parseMs);
      base.push(took.direct!);
      added.push(took.through! - took.direct!);
      passed.push(took.passed! - took.direct!);
    }
    const goal = ADDED_MS + PARSES * median(parses);
    const verdict = median(added) <= goal ? 'reached' : 'MISSED';
    console.log(
      `first byte, ${name}: direct ${median(base).toFixed(2)} ms, added ${median(added).toFixed(2)} ms (a proxy alone ${median(passed).toFixed(2)} ms); goal ${goal.toFixed(2)} ms (1 ms + 4 × JSON.parse ${median(parses).toFixed(3)} ms): ${verdict}`,
    );
  }
}

const CONNECTIONS = 32;
const LOAD_MS = 4_000;
const LOAD_ROUNDS = 3;
const TURNS = 6;
const TURN_BYTES = 400;

/** Each connection plays conversations of a few turns, about 2 KB a request, one after the other. */
async function requestsPerSecond(
  pool: Pool,
  { label, pathOf }: { readonly label: string; readonly pathOf: (session: string) => string },
): Promise<number> {
  const endMs = performance.now() + LOAD_MS;
  let count = 0;
  const connection = async (number: number) => {
    for (let talk = 0; performance.now() < endMs; talk++) {
      const session = `${label}-${number}-${talk}`;
      const bodies = conversation(session, TURN_BYTES);
      for (let turn = 0; turn < TURNS && performance.now() < endMs; turn++) {
        await ask(pool, { path: pathOf(session), body: bodies.next().value as string });
        count++;
      }
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, number) => connection(number)));
  return (count * 1_000) / LOAD_MS;
}

async function throughput({ direct, through }: Servers): Promise<void> {
  const ratios: number[] = [];
  for (let round = 0; round <= LOAD_ROUNDS; round++) {
    const plain = await requestsPerSecond(direct, { label: `plain-${round}`, pathOf: () => PATH });
    const passed = await requestsPerSecond(through, { label: `passed-${round}`, pathOf: () => '/v1/unread' });
    const behind = await requestsPerSecond(through, { label: `behind-${round}`, pathOf: (session) => `/s/${session}${PATH}` });
    if (round === 0) continue;
    ratios.push(behind / plain);
    console.log(
      `${CONNECTIONS} connections, 2 KB: direct ${plain.toFixed(0)} requests/s, through ${behind.toFixed(0)} requests/s (a proxy alone ${passed.toFixed(0)})`,
    );
  }
  console.log(`ratio ${median(ratios).toFixed(2)}; goal 0.5: ${median(ratios) >= 0.5 ? 'reached' : 'MISSED'}`);
}

const STREAMS = 200;
const PAUSE_MS = 100;
const SHORT_MS = 15_000;
const LONG_MS = 60_000;
const SAMPLES = 6;

async function streams({ through, gateway }: Servers): Promise<void> {
  const lengthMs = process.argv.includes('--minute') ? LONG_MS : SHORT_MS;
  const chunks = lengthMs / PAUSE_MS;
  const startedMs = performance.now();
  const running = Promise.all(
    Array.from({ length: STREAMS }, (_, number) => {
      const body = (conversation(`stream-${number}`, 2_000).next().value as string).replace('"stream":false', '"stream":true');
      return ask(through, { path: `/s/stream-${number}${PATH}`, body, stream: `${chunks},${PAUSE_MS}` });
    }),
  );
  const memory: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample++) {
    await new Promise((resolve) => setTimeout(resolve, lengthMs / (SAMPLES + 1)));
    memory.push((await gateway.memoryBytes()) / 1_000_000);
  }
  const answers = await running;
  const lost = answers.filter((answer) => answer.chunks !== chunks).length;
  const seconds = (performance.now() - startedMs) / 1_000;
  console.log(
    `${STREAMS} streams of ${chunks} chunks in ${seconds.toFixed(0)} s: ${lost} incomplete; memory of the gateway ${memory.map((mb) => mb.toFixed(0)).join(', ')} MB`,
  );
}

const PARTS: Readonly<Record<string, (servers: Servers) => Promise<void>>> = {
  'first-byte': firstBytes,
  load: throughput,
  streams,
  cost: compareCosts,
};
const named = process.argv.slice(2).filter((word) => word in PARTS);
const folder = mkdtempSync(path.join(os.tmpdir(), 'ullage-bench-'));
const built = buildPackage();
const upstream = await startProcess('upstream.ts');
const gateway = await startProcess('serve.mjs', built, path.join(folder, 'bench.db'), upstream.url);
const servers = { direct: new Pool(upstream.url), through: new Pool(gateway.url), gateway };
console.log(`${os.cpus().length} cores, load ${os.loadavg()[0]!.toFixed(1)}, Node ${process.version}`);
try {
  for (const part of named.length > 0 ? named : Object.keys(PARTS)) await PARTS[part]!(servers);
} finally {
  await Promise.all([servers.direct.destroy(), servers.through.destroy()]);
  gateway.end();
  upstream.end();
  rmSync(folder, { recursive: true, force: true });
}
