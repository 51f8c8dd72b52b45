// A gateway in a process of its own. argv: the built package, database, upstream. Prints its address, then its memory (bytes) for each line on
// standard input.
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [folder, file, upstream] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(path.join(folder, name)).href);
const { sqliteStore } = await load('adapters/sqlite/index.js');
const { createGateway } = await load('apps/gateway/gateway.js');
const gateway = await createGateway({
  store: sqliteStore(file),
  port: 0,
  upstreamOpenai: upstream,
  upstreamAnthropic: upstream,
  models: { window: 10_000_000 },
});
process.stdout.write(`${gateway.url}\n`);
createInterface({ input: process.stdin }).on('line', () => {
  globalThis.gc?.();
  process.stdout.write(`${process.memoryUsage().rss}\n`);
});
