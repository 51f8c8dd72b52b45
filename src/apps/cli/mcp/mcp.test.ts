// `ullage mcp` as an agent uses it: a real MCP client, a real process, a database that a replay made.
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agentBody, scratchFolder } from '../shared/testing/scratch.ts';
import { runInTest } from '../testing/run-in-test.ts';

const scratch = scratchFolder();
const db = scratch.path('agent.db');
const MAIN = path.resolve(import.meta.dirname, '../main.ts');
const clients: Client[] = [];

async function connect(...args: readonly string[]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: ['--import', 'tsx', MAIN, 'mcp', '--db', db, ...args] }),
  );
  clients.push(client);
  return client;
}

type Answer = { readonly isError?: boolean; readonly content: readonly { readonly text: string }[] };

async function call(client: Client, name: string, args: Record<string, unknown>): Promise<{ text: string; isError: boolean }> {
  const { content, isError } = (await client.callTool({ name, arguments: args })) as Answer;
  return { text: content.map(({ text }) => text).join(''), isError: isError === true };
}

beforeAll(async () => {
  const file = scratch.write('session.json', agentBody(20));
  await runInTest(['replay', file, '--window', '16k', '--db', db]);
});

afterAll(() => Promise.all(clients.map((client) => client.close())));

describe('ullage mcp', () => {
  test('finds what was folded, and opens it whole or by lines', async () => {
    const client = await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['ullage_read', 'ullage_search']);
    const found = await call(client, 'ullage_search', { query: 'queueDepth3x41' });
    const handle = /e_[0-9a-f]+/.exec(found.text)?.[0];
    expect(found).toMatchObject({ isError: false, text: expect.stringContaining('queueDepth3x41') });
    const whole = await call(client, 'ullage_read', { handle });
    expect(whole.text).toContain('queueDepth3x41');
    const lines = whole.text.split('\n');
    const second = await call(client, 'ullage_read', { handle, fromLine: 2, toLine: 2 });
    expect(second.text).toBe(`[lines 2–2 of ${lines.length}]\n${lines[1]}`);
  });

  test('what cannot be opened is told to the agent, and the next call is answered', async () => {
    const client = await connect();
    expect(await call(client, 'ullage_read', { handle: 'e_000000000000' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('Nothing is stored under'),
    });
    expect((await call(client, 'ullage_search', { query: 'x', session: 'nobody' })).text).toContain('There is no session "nobody"');
    expect((await call(client, 'ullage_search', { query: 'zzzzqqq' })).text).toBe('Nothing found in session "replay:session.json".');
  });

  test('F15 another tenant, or another session than the one named, sees nothing', async () => {
    const handle = /e_[0-9a-f]+/.exec((await call(await connect(), 'ullage_search', { query: 'queueDepth3x41' })).text)?.[0];
    const stranger = await connect('--tenant', 'stranger');
    expect((await call(stranger, 'ullage_read', { handle })).isError).toBe(true);
    expect((await call(stranger, 'ullage_search', { query: 'queueDepth3x41' })).text).toContain('No session is stored yet');
    const elsewhere = await connect('--session', 'telegram:1');
    expect((await call(elsewhere, 'ullage_read', { handle })).text).toContain('There is no session "telegram:1"');
  });
});
