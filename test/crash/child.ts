// A process that prepares and observes requests on a real SQLite file, and dies by SIGKILL right after its n-th effect on the store.
// argv: file, conversation (JSON file), clock start, die after effect (0 = never)
import fs from 'node:fs';
import { sqliteStore } from '../../src/adapters/sqlite/index.ts';
import { createUllage } from '../../src/index.ts';
import type { Store } from '../../src/ports/store.ts';
import { manualClock } from '../../src/testkit/index.ts';

const [file, conversationFile, clockStart, dieAfter] = process.argv.slice(2) as [string, string, string, string];

const EFFECTS = new Set([
  'appendEntries',
  'followRequest',
  'touchConversation',
  'swapGuard',
  'commitCompaction',
  'recordOutcome',
  'recordObservation',
  'indexEntries',
  'placePin',
  'addPin',
]);

function dying(store: Store, at: number): Store {
  let effects = 0;
  return new Proxy(store, {
    get(target, name: keyof Store) {
      const command = target[name] as unknown;
      if (typeof command !== 'function' || !EFFECTS.has(name)) return typeof command === 'function' ? command.bind(target) : command;
      return async (...args: unknown[]) => {
        const result = await command.apply(target, args);
        if (++effects === at) process.kill(process.pid, 'SIGKILL');
        return result;
      };
    },
  });
}

const { bodies, pin } = JSON.parse(fs.readFileSync(conversationFile, 'utf8')) as { bodies: Record<string, unknown>[]; pin: string };
const ullage = createUllage({
  store: dying(sqliteStore(file), Number(dieAfter)),
  api: 'openai-chat',
  clock: manualClock(Number(clockStart)),
  models: { window: 20_000, maxOutputTokens: 2_000 },
  policy: { tailTokens: 2_000 },
  summarizer: async () => ({ text: '## Goal\nMend the build.\n\n## Done\n1. Read the parts.\n', finishReason: 'stop' }),
});
const session = await ullage.session('crash');
const log: unknown[] = [];
for (const [index, body] of bodies.entries()) {
  const prepared = await session.prepare(body);
  await session.observe(prepared.id, { prompt_tokens: prepared.context.tokens, completion_tokens: 1 });
  if (index === 0 && (await session.pins()).length === 0) await session.pin(pin);
  log.push({ text: prepared.text, status: prepared.outcome?.status });
}
const guard = await session.guard();
await ullage.close();
console.log(JSON.stringify({ log, decision: guard.decision, reason: guard.reason, strikes: guard.strikes }));
