// prepare of an unchanged history plus one message, below the threshold, against JSON.parse of the same body, in one process.
// Run: npx tsx --expose-gc bench/prepare.ts
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sqliteStore } from '../src/adapters/sqlite/index.ts';
import { createUllage } from '../src/index.ts';
import { median } from './median.ts';

const ROUNDS = 15;
/** Of as many requests each. */
const WARM_UP_SESSIONS = 20;
/** Sessions that are measured of each size; the one in the middle is told. */
const SESSIONS = 5;
let databases = 0;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ullage-bench-'));

interface Row {
  readonly megabytes: number;
  readonly messages: number;
  readonly parseMs: number;
  readonly prepareMs: number;
  readonly ratio: number;
  /** Heap and external memory held by the session after the rounds, as a multiple of the body's bytes. */
  readonly memoryRatio: number;
}

function usedBytes(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function makeMessages(megabytes: number, hasEscapes: boolean): object[] {
  const line = hasEscapes
    ? (index: number) => `{"path": "src/part-${index}.ts"}\n\tconst value = "${index}";\n`
    : (index: number) => `message ${index} lorem ipsum dolor `;
  const messages: object[] = Array.from({ length: Math.round((megabytes * 1e6) / 2_100) }, (_, index) => ({
    role: index % 2 ? 'assistant' : 'user',
    content: line(index).repeat(80).slice(0, 2_000),
  }));
  if (messages.length % 2) messages.push({ role: 'assistant', content: 'x' });
  return messages;
}

async function measure(megabytes: number, hasEscapes: boolean): Promise<Row> {
  const messages = makeMessages(megabytes, hasEscapes);
  const store = sqliteStore(path.join(folder, `${databases++}.db`));
  const ullage = createUllage({ store, api: 'openai-chat', models: { window: 50_000_000, maxOutputTokens: 1_000 } });
  const session = await ullage.session('bench');
  const parse: number[] = [];
  const prepare: number[] = [];
  const before = usedBytes();
  let bytes = 0;
  for (let round = 0; round < ROUNDS; round++) {
    messages.push({ role: 'user', content: `new ${round}` });
    const text = JSON.stringify({ model: 'm', messages });
    bytes = Buffer.byteLength(text);
    let start = performance.now();
    JSON.parse(text);
    parse.push(performance.now() - start);
    start = performance.now();
    await session.prepare(text);
    prepare.push(performance.now() - start);
    messages.push({ role: 'assistant', content: `answer ${round}` });
  }
  const memoryRatio = (usedBytes() - before) / bytes;
  await ullage.close();
  const [parseMs, prepareMs] = [median(parse), median(prepare)];
  return { megabytes, messages: messages.length, parseMs, prepareMs, ratio: prepareMs / parseMs, memoryRatio };
}

async function measureSeveral(megabytes: number, hasEscapes: boolean): Promise<Row> {
  const rows: Row[] = [];
  for (let session = 0; session < SESSIONS; session++) rows.push(await measure(megabytes, hasEscapes));
  return rows.sort((a, b) => a.ratio - b.ratio)[Math.floor(SESSIONS / 2)]!;
}

// The first requests of a process run uncompiled code; a person's agent sends hundreds.
for (let session = 0; session < WARM_UP_SESSIONS; session++) await measure(0.2, session % 2 === 0);
for (const hasEscapes of [false, true]) {
  console.log(hasEscapes ? 'text with quotes and newlines' : 'plain text');
  for (const megabytes of [0.2, 2, 20]) {
    const row = await measureSeveral(megabytes, hasEscapes);
    console.log(
      `  ${String(row.megabytes).padStart(4)} MB, ${row.messages} messages: JSON.parse ${row.parseMs.toFixed(2)} ms, prepare ${row.prepareMs.toFixed(2)} ms, ratio ${row.ratio.toFixed(2)}, memory held ${row.memoryRatio.toFixed(2)} x body`,
    );
  }
}
fs.rmSync(folder, { recursive: true, force: true });
