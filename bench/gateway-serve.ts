// A gateway in a process of its own. argv: database, upstream. Prints its address, then its memory (bytes) for each line on standard input.
import { createInterface } from 'node:readline';
import { sqliteStore } from '../src/adapters/sqlite/index.ts';
import { createGateway } from '../src/apps/gateway/gateway.ts';

const [file, upstream] = process.argv.slice(2) as [string, string];
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
