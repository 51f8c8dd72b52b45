// MCP servers as processes: started once, ended for certain, asked for all their tools, and their secrets kept.
import { randomUUID } from 'node:crypto';
import { readFileSync, watch, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createSecrets } from '../../src/apps/chat/config/secrets.ts';
import { loadSdk } from '../../src/apps/chat/model/language-model.ts';
import { ProcessTransport } from '../../src/apps/chat/tools/process-transport.ts';
import { openToolBox, type ToolBox } from '../../src/apps/chat/tools/tool-box.ts';
import { MCP_SERVER, setting } from './support.ts';

/** Real processes on a machine that may be busy. */
const SLOW_MS = 120_000;
vi.setConfig({ testTimeout: SLOW_MS });

/** An MCP server over HTTP in this process; started anew, it has another name and none of its sessions. */
async function remoteServer() {
  let name = 'first';
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const open = async () => {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    const server = new McpServer({ name: 'remote', version: '1' });
    const own = name;
    server.registerTool('name', { description: 'Its name.' }, () => ({ content: [{ type: 'text', text: own }] }));
    await server.connect(transport as never);
    return transport;
  };
  const http = createServer(async (request, response) => {
    const id = request.headers['mcp-session-id'];
    const transport = id === undefined ? await open() : sessions.get(String(id));
    if (transport === undefined) response.writeHead(404).end();
    else await transport.handleRequest(request, response);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const restart = (next: string) => {
    name = next;
    sessions.clear();
    http.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`, restart };
}

const NO_SIGNAL = new AbortController().signal;

async function boxOf(
  env: Record<string, string>,
  server: object = {},
  { now = Date.now, servers }: { readonly now?: () => number; readonly servers?: Readonly<Record<string, object>> } = {},
): Promise<{ box: ToolBox; log: () => string; redact: (text: string) => string }> {
  let log = '';
  const secrets = createSecrets(env);
  const common = { args: [], env: [], timeoutMs: 60_000, startTimeoutMs: 60_000 };
  const box = await openToolBox({
    servers: Object.fromEntries(
      Object.entries(servers ?? { t: server }).map(([name, own]) => [name, { ...common, ...('url' in own ? {} : MCP_SERVER), ...own }]),
    ) as never,
    now,
    sdk: await loadSdk(),
    secrets,
    log: { write: (_level, message, fields) => (log += `${message} ${JSON.stringify(fields)}\n`) },
  });
  onTestFinished(() => box.close());
  return { box, log: () => log, redact: secrets.redact };
}

it('a server that leaves its output to a process of its own ends all the same', async () => {
  const transport = new ProcessTransport({
    command: 'sh',
    args: ['-c', 'sleep 600 & echo "$!"; wait'],
    env: { PATH: process.env.PATH ?? '' },
  });
  const grandchild = new Promise<number>((resolve) => {
    transport.onmessage = (message) => resolve(message as unknown as number);
  });
  await transport.start();
  const pid = await grandchild;
  onTestFinished(() => void process.kill(pid, 'SIGKILL'));
  await transport.close();
  expect(() => process.kill(pid, 0)).not.toThrow();
});

it('every page of the list of tools is asked for', async () => {
  const { box } = await boxOf({ TEST_PAGES: '1' }, { env: ['TEST_PAGES'] });
  expect(Object.keys(box.tools)).toEqual(expect.arrayContaining(['t_read', 't_last-page']));
});

it('a server that died is started once, however many call it', async () => {
  const { box, log } = await boxOf({});
  await box.run('t_die', {}, NO_SIGNAL);
  const [one, two] = await Promise.all([box.run('t_pid', {}, NO_SIGNAL), box.run('t_pid', {}, NO_SIGNAL)]);
  expect(one!.text).toBe(two!.text);
  expect(log()).toContain('An MCP server went away');
});

it('servers start together: two that wait for each other both come up', async () => {
  const { folder } = setting({});
  const marks = { A: path.join(folder, 'a'), B: path.join(folder, 'b') };
  const shell = (own: string, other: string) => ({
    command: 'sh',
    args: ['-c', `TEST_MARK='${own}' TEST_OTHER_MARK='${other}' exec "$0" "$@"`, MCP_SERVER.command, ...MCP_SERVER.args],
  });
  const { box } = await boxOf({}, {}, { servers: { a: shell(marks.A, marks.B), b: shell(marks.B, marks.A) } });
  expect(Object.keys(box.tools)).toEqual(expect.arrayContaining(['a_read', 'b_read']));
});

it('one that does not start within its deadline is left out, and the others are there', async () => {
  const silent = { command: 'sh', args: ['-c', 'exec sleep 600'], startTimeoutMs: 300 };
  const { box, log } = await boxOf({}, {}, { servers: { silent, t: {} } });
  expect(Object.keys(box.tools)).toContain('t_read');
  expect(log()).toMatch(/could not be started.*silent/);
});

it('a server that was not there at the start is found later, and its tools are offered', async () => {
  let nowMs = 1_000_000;
  const { folder } = setting({});
  const file = path.join(folder, 'there');
  const late = { command: 'sh', args: ['-c', `test -e '${file}' && exec "$0" "$@"`, MCP_SERVER.command, ...MCP_SERVER.args] };
  const { box, log } = await boxOf({}, {}, { now: () => nowMs, servers: { late } });
  expect(Object.keys(box.tools)).toEqual([]);
  writeFileSync(file, '');
  await box.lookForMissing();
  expect(Object.keys(box.tools)).toEqual([]);
  nowMs += 60_000;
  await box.lookForMissing();
  expect(Object.keys(box.tools)).toContain('late_read');
  expect((await box.run('late_pid', {}, NO_SIGNAL)).isError).toBe(false);
  expect(log()).toContain('An MCP server that was missing is there');
});

it('whoever closes does not wait for a server that is being started', async () => {
  let nowMs = 1_000_000;
  const { folder } = setting({});
  const file = path.join(folder, 'pid');
  // At first it fails at once; then it never says a word.
  const wait = `echo begun > '${file}'; trap "kill \\$!; echo ended > '${file}'; exit" TERM; sleep 600 & wait`;
  const command = `test -e '${file}' || { touch '${file}'; exit 1; }; ${wait}`;
  const { box } = await boxOf({}, {}, { now: () => nowMs, servers: { silent: { command: 'sh', args: ['-c', command] } } });
  nowMs += 60_000;
  const looking = box.lookForMissing();
  await untilSays(file, 'begun');
  await box.close();
  await looking;
  await untilSays(file, 'ended');
});

function untilSays(file: string, word: string): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!readFileSync(file, 'utf8').includes(word)) return;
      watcher.close();
      resolve();
    };
    const watcher = watch(file, look);
    look();
  });
}

it('a server that hangs is ended and started again; one whose tool alone takes too long goes on', async () => {
  const { box } = await boxOf({}, { timeoutMs: 2_000 });
  const pid = async () => (await box.run('t_pid', {}, NO_SIGNAL)).text;
  const first = await pid();
  expect((await box.run('t_hang', {}, NO_SIGNAL)).text).toMatch(/timed out/i);
  expect(await pid()).toBe(first);
  expect((await box.run('t_freeze', {}, NO_SIGNAL)).text).toContain('hangs; whether the call had an effect is not known');
  expect(await pid()).not.toBe(first);
  expect(() => process.kill(Number(first), 0)).toThrow('ESRCH');
});

it('a server that never stays is not started over and over: it rests, is told, and gets another try', async () => {
  let nowMs = 1_000_000;
  const { box } = await boxOf({}, {}, { now: () => nowMs });
  const die = async () => (await box.run('t_die', {}, NO_SIGNAL)).text;
  for (let death = 1; death <= 4; death++) expect(await die()).toContain('The next call starts it again');
  expect(await die()).toContain('does not stay up; it is tried again in 60 s');
  nowMs += 60_000;
  expect(await die()).toContain('The next call starts it again');
  expect(await die()).toContain('does not stay up');
  nowMs += 60_000;
  expect((await box.run('t_pid', {}, NO_SIGNAL)).isError).toBe(false);
  expect(await die()).toContain('The next call starts it again');
  expect((await box.run('t_pid', {}, NO_SIGNAL)).isError).toBe(false);
});

it('a remote server that was started anew, and knows its clients no more, is connected to again by the next call', async () => {
  const remote = await remoteServer();
  const { box } = await boxOf({}, {}, { servers: { r: { url: remote.url, headers: {} } } });
  const run = async () => (await box.run('r_name', {}, NO_SIGNAL)).text;
  expect(await run()).toBe('first');
  remote.restart('second');
  expect(await run()).toContain('The next call starts it again');
  expect(await run()).toBe('second');
});

it('a secret that a server is given comes back from no tool; what every process has is none', async () => {
  const { box, redact } = await boxOf({ TEST_SECRET: 'the-secret-of-a-server', HOME: '/home/somebody' }, { env: ['TEST_SECRET', 'HOME'] });
  expect((await box.run('t_env', { name: 'TEST_SECRET' }, NO_SIGNAL)).text).toBe('[secret]');
  expect(redact('/home/somebody/file')).toBe('/home/somebody/file');
});

it('a server whose tools cannot be listed is ended', async () => {
  const { folder } = setting({});
  const file = path.join(folder, 'pid');
  const { box, log } = await boxOf({ TEST_NO_LIST_PID_FILE: file }, { env: ['TEST_NO_LIST_PID_FILE'] });
  expect(Object.keys(box.tools)).toEqual([]);
  expect(log()).toContain('An MCP server could not be started');
  expect(() => process.kill(Number(readFileSync(file, 'utf8')), 0)).toThrow('ESRCH');
});
