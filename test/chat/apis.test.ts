// The same conversation over each of the three APIs: one chain in the store, over tools, restarts and a continuation.
import { expect, it, vi } from 'vitest';
import { sqliteStore } from '../../src/adapters/sqlite/index.ts';
import { MCP_SERVER } from './support.ts';
import { newestUserText, telegramWorld, USER } from './telegram-world.ts';

/** Real processes on a machine that may be busy. */
const SLOW_MS = 240_000;
vi.setConfig({ testTimeout: SLOW_MS });

/** How many conversations the store holds for the chat. */
async function conversations(database: string): Promise<number> {
  const store = sqliteStore(database);
  await store.open();
  const session = await store.findSession({ tenant: 'local', key: `telegram:424242:${USER}` });
  const rows = await store.conversations({ tenant: 'local', sessionId: session!.sessionId });
  await store.close();
  return rows.length;
}

it.each(['openai-chat', 'openai-responses', 'anthropic'] as const)('%s: tools, a restart, a pin, a continuation', async (api) => {
  let refusals = 0;
  const hasResult = (body: object) => /"role":"tool"|function_call_output|tool_result/.test(JSON.stringify(lastOf(body)));
  const world = await telegramWorld({
    profile: { api, system: `You help. ${'Keep to the rules. '.repeat(400)}`, mcpServers: { files: MCP_SERVER } },
    provider: {
      script: () => (refusals-- > 0 ? { type: 'overflow', numbers: false } : undefined),
      answer: ({ body }) =>
        newestUserText(body).startsWith('Read') && !hasResult(body)
          ? { thinking: 'I have to look.', text: 'Let me look.', toolCalls: [{ name: 'files_read', arguments: { part: 3, chars: 200 } }] }
          : { thinking: 'It is clear.', text: `Answer to: ${newestUserText(body)}` },
    },
  });
  let end = world.start();
  const ask = async (text: string, count: number) => {
    world.api.say(USER, text);
    return (await world.untilSaid(USER, count)).at(-1);
  };
  expect(await ask('Hello', 1)).toBe('Answer to: Hello');
  expect(await ask('Read part 3', 2)).toBe('Let me look.\n\nAnswer to: Read part 3');
  expect(await ask('/pin Never push to main', 3)).toContain('Pinned');
  await end();
  end = world.start();
  expect(await ask('Read it again', 4)).toContain('Answer to: Read it again');
  expect(await ask('And now?', 5)).toContain('Answer to: ');
  expect(await conversations(world.given.database)).toBe(1);
  const last = world.provider.requests.at(-1)!;
  expect(last.status).toBe(200);
  expect(last.cachedTokens).toBeGreaterThan(1_500);
  expect(JSON.stringify(last.body)).toContain('Never push to main');
  refusals = 4;
  expect(await ask('Go on', 7)).toContain('continuation');
  expect(await ask('Still there?', 8)).toContain('Answer to: ');
  expect(await conversations(world.given.database)).toBe(2);
  expect(JSON.stringify(world.provider.requests.at(-1)!.body)).toContain('Never push to main');
  await end();
});

function lastOf(body: object): unknown {
  const { messages, input } = body as { readonly messages?: readonly unknown[]; readonly input?: readonly unknown[] };
  return (messages ?? input)?.at(-1);
}
