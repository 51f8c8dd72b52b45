// A gateway in a process of its own, to be killed. argv: database, upstream, clock start, [summarizer]
import { sqliteStore } from '../../src/adapters/sqlite/index.ts';
import { createGateway } from '../../src/apps/gateway/gateway.ts';
import { manualClock } from '../../src/testkit/index.ts';

const [file, upstream, clockStart, summarizer] = process.argv.slice(2) as [string, string, string, string | undefined];
const gateway = await createGateway({
  store: sqliteStore(file),
  port: 0,
  upstreamOpenai: upstream,
  upstreamAnthropic: upstream,
  summarizer,
  clock: manualClock(Number(clockStart)),
  models: { window: 20_000, maxOutputTokens: 1_000 },
});
// It outlives no test: what holds its input is the test's process.
process.stdin.on('end', () => process.exit(1)).resume();
process.stdout.write(`${gateway.url}\n`);
