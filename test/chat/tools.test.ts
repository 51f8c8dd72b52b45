// Tools of an MCP server, and what goes wrong with them.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import type { ScriptedToolCall } from '../../src/testkit/index.ts';
import { MCP_SERVER } from './support.ts';
import { newestUserText, telegramWorld, USER } from './telegram-world.ts';

/** Real processes on a machine that may be busy. */
const SLOW_MS = 240_000;
vi.setConfig({ testTimeout: SLOW_MS });

/** A world whose model makes the calls for the first words of a person, and says what came of them. */
function toolWorld(calls: (text: string) => readonly ScriptedToolCall[], server: object = {}) {
  return telegramWorld({
    profile: { mcpServers: { t: { ...MCP_SERVER, ...server } }, window: 200_000 },
    provider: {
      window: 200_000,
      answer: ({ body }) => {
        const { messages } = body as unknown as { readonly messages: readonly { readonly role: string; readonly content: string }[] };
        const last = messages.at(-1)!;
        if (last.role !== 'tool') return { text: 'Let me see.', toolCalls: calls(newestUserText(body)) };
        return `It gave: ${last.content.slice(0, 400)}`;
      },
    },
  });
}

it('a tool that hangs, fails, is not there or gets no JSON gives an error result, and a server that died is started again', async () => {
  const world = await toolWorld(
    (text) => [{ name: text, arguments: text === 't_read' ? { part: 1, chars: 60 } : text === 't_note' ? 'no {json' : {} }],
    {
      timeoutMs: 3_000,
    },
  );
  world.start();
  const names = ['t_hang', 't_die', 't_read', 't_fail', 'nonsense', 't_note'];
  for (const name of names) world.api.say(USER, name);
  const said = await world.untilSaid(USER, names.length);
  expect(said[0]).toMatch(/^Let me see\.\n\nIt gave: .*t_hang failed: .*timed out/i);
  expect(said[1]).toMatch(
    /t_die failed: the server t went away or hangs; whether the call had an effect is not known\. The next call starts it again/,
  );
  expect(said[2]).toContain('It gave: Part 1:');
  expect(said[3]).toContain('It cannot be done.');
  expect(said[4]).toMatch(/unavailable tool 'nonsense'/);
  expect(said[5]).toMatch(/Invalid input|JSON/i);
});

it('a result of 50 MB is cut with a note, and the session goes on', async () => {
  const world = await toolWorld((text) => (text === 'go' ? [{ name: 't_huge' }] : []), { timeoutMs: 60_000 });
  world.start();
  world.api.say(USER, 'go');
  await world.untilSaid(USER, 1);
  const { messages } = world.provider.requests.at(-1)!.body as unknown as { readonly messages: readonly { readonly content: string }[] };
  const result = messages.at(-1)!.content;
  expect(result.length).toBeLessThan(201_000);
  expect(result).toMatch(/\[… 49800000 of 50000000 characters left out/);
});

it('a server that cannot be started leaves the chat without its tools, and the log says so', async () => {
  const world = await toolWorld(() => [], { command: '/nonexistent/program' });
  world.start();
  world.api.say(USER, 'Hello');
  await world.api.until(() => world.log().includes('An MCP server could not be started'));
  await world.untilSaid(USER, 1);
});

it('a call that was interrupted is never made again, and the model is told', async () => {
  const world = await toolWorld(() => [{ name: 't_slow-note', arguments: { file } }]);
  const file = path.join(world.given.folder, 'notes');
  const end = world.start();
  world.api.say(USER, 'Write it');
  await world.api.until(() => existsSync(file));
  await end();
  world.start();
  expect((await world.untilSaid(USER, 1))[0]).toContain('It gave: Interrupted: the process ended while this tool ran.');
  expect(readFileSync(file, 'utf8')).toBe('begun\n');
});
