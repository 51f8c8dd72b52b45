// Several gateways on one file, gateways that are killed, gateways that end: the conversation goes on as if nothing had happened.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, test } from 'vitest';
import { sqliteStore } from '../../src/adapters/sqlite/index.ts';
import type { StrictProvider } from '../../src/testkit/index.ts';
import { encodeTurn, makeTurn } from '../support/conversation.ts';
import { seededRandom } from '../support/random.ts';
import { get, post, send, useWorld } from './world.ts';

const world = useWorld();
const folders: string[] = [];
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function folder(): string {
  const made = mkdtempSync(path.join(os.tmpdir(), 'ullage-gateway-'));
  folders.push(made);
  return made;
}

/** As long as a test may take. */
const CHILD_LIMIT_MS = 60_000;
const WINDOW = 20_000;
/** Enough for one compaction and what follows it. */
const TURNS = 11;
const MODELS = { window: WINDOW, maxOutputTokens: 1_000 };

function bodies(turns: number, isStream = false): Record<string, unknown>[] {
  const random = seededRandom(11);
  const messages: object[] = [];
  const tools = [{ name: 'read', input_schema: { type: 'object' } }];
  return Array.from({ length: turns }, (_, number) => {
    const turn = encodeTurn('anthropic', makeTurn(random, number, { steps: 2, resultWords: 400 }));
    messages.push(turn[0]!);
    const body = { model: 'm', max_tokens: 500, stream: isStream, tools, messages: [...messages] };
    messages.push(...turn.slice(1));
    return body;
  });
}

interface Child {
  readonly url: string;
  kill(): Promise<void>;
}

async function child(args: readonly string[]): Promise<Child> {
  const file = path.join(import.meta.dirname, 'child.ts');
  const limit = { timeout: CHILD_LIMIT_MS, killSignal: 'SIGKILL' } as const;
  const started = spawn(process.execPath, ['--import', 'tsx', file, ...args], { ...limit, stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(started);
  for await (const url of createInterface({ input: started.stdout! })) {
    const exited = new Promise<void>((resolve) => started.on('exit', () => resolve()));
    const kill = () => {
      started.kill('SIGKILL');
      return exited;
    };
    return { url, kill };
  }
  throw new Error('The gateway did not start.');
}

const ask = (url: string, body: unknown) => send(`${url}/s/life/v1/messages`, { body: JSON.stringify(body) });
const sent = (provider: StrictProvider) => provider.requests.map(({ bytes }) => Buffer.from(bytes).toString());

/** Where the first compaction of this conversation happens, and all that is sent, with nothing going wrong. */
async function undisturbed(turns: number): Promise<{ readonly requests: string[]; readonly compactedAt: number }> {
  const provider = await world.provider({ window: WINDOW });
  const { gateway } = await world.start(provider.url, { models: MODELS });
  const outcomes: unknown[] = [];
  for (const body of bodies(turns)) outcomes.push((await ask(gateway.url, body)).headers['x-ullage-outcome']);
  return { requests: sent(provider), compactedAt: outcomes.findIndex((outcome) => outcome !== undefined) };
}

describe('killed by SIGKILL', () => {
  test('F24 in the middle of a stream: the next gateway sends what the killed one would have sent', async () => {
    const { requests, compactedAt } = await undisturbed(TURNS);
    const file = path.join(folder(), 'life.db');
    const provider = await world.provider({ window: WINDOW });
    const all = bodies(TURNS);
    const first = await child([file, provider.url, '0']);
    for (const body of all.slice(0, compactedAt)) expect((await ask(first.url, body)).status).toBe(200);
    provider.hold('events');
    const cut = ask(first.url, { ...all[compactedAt], stream: true }).catch(() => undefined);
    await provider.until(() => provider.held === 1);
    await first.kill();
    await cut;
    provider.release();
    const second = await child([file, provider.url, '200000']);
    for (const body of all.slice(compactedAt)) expect((await ask(second.url, body)).status).toBe(200);
    // The request that was cut was sent twice; what both sent is what is sent undisturbed.
    const seen = sent(provider).map((text) => text.replace('"stream":true', '"stream":false'));
    expect(seen.filter((_, index) => index !== compactedAt)).toEqual(requests);
    expect(seen[compactedAt]).toBe(requests[compactedAt]);
    const { entries } = JSON.parse((await send(`${second.url}/ullage/v1/sessions/life/entries?limit=1000`, { method: 'GET' })).text);
    expect(entries).toHaveLength((all.at(-1)!.messages as unknown[]).length);
    expect(new Set(entries.map(({ position }: { position: number }) => position)).size).toBe(entries.length);
  });

  test('F24 in the middle of a compaction: nothing is half done, and the next gateway compacts', async () => {
    const { compactedAt } = await undisturbed(TURNS);
    const file = path.join(folder(), 'life.db');
    const provider = await world.provider({ window: WINDOW });
    const writer = await world.provider();
    writer.hold();
    const all = bodies(TURNS);
    const first = await child([file, provider.url, '0', `${writer.url}/v1#writer`]);
    for (const body of all.slice(0, compactedAt)) await ask(first.url, body);
    const cut = ask(first.url, all[compactedAt]).catch(() => undefined);
    await writer.until(() => writer.held === 1);
    await first.kill();
    await cut;
    expect(provider.requests).toHaveLength(compactedAt);
    // After the lease of the killed one has run out.
    const second = await child([file, provider.url, '400000']);
    const answer = await ask(second.url, all[compactedAt]);
    expect(answer).toMatchObject({ status: 200, headers: { 'x-ullage-outcome': expect.stringMatching(/^compacted; /) } });
    expect(provider.requests.map(({ status }) => status)).toEqual(provider.requests.map(() => 200));
    const { folds } = JSON.parse((await send(`${second.url}/ullage/v1/sessions/life/folds`, { method: 'GET' })).text);
    expect(folds).toHaveLength(1);
  });
});

describe('two gateways on one file', () => {
  test('F24 F27 take turns in one conversation: what both send is what one would have sent', async () => {
    const { requests } = await undisturbed(TURNS);
    const file = path.join(folder(), 'life.db');
    const provider = await world.provider({ window: WINDOW });
    const pair = [
      await world.start(provider.url, { models: MODELS, store: sqliteStore(file) }),
      await world.start(provider.url, { models: MODELS, store: sqliteStore(file) }),
    ];
    for (const [index, body] of bodies(TURNS).entries()) expect((await ask(pair[index % 2]!.gateway.url, body)).status).toBe(200);
    expect(sent(provider)).toEqual(requests);
  });

  test('F27 the same request at once through both: each is answered, one compacts, nothing is stored twice', async () => {
    const { compactedAt } = await undisturbed(TURNS);
    const file = path.join(folder(), 'life.db');
    const provider = await world.provider({ window: WINDOW });
    const pair = [
      await world.start(provider.url, { models: MODELS, store: sqliteStore(file) }),
      await world.start(provider.url, { models: MODELS, store: sqliteStore(file) }),
    ];
    const all = bodies(compactedAt + 1);
    for (const body of all.slice(0, -1)) await ask(pair[0]!.gateway.url, body);
    const answers = await Promise.all([0, 1, 0, 1].map((index) => ask(pair[index]!.gateway.url, all.at(-1))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { folds } = JSON.parse((await get(pair[0]!.gateway, '/ullage/v1/sessions/life/folds')).text);
    expect(folds).toHaveLength(1);
    const { count } = JSON.parse((await get(pair[1]!.gateway, '/ullage/v1/sessions/life/entries')).text);
    expect(count).toBe((all.at(-1)!.messages as unknown[]).length);
  });
});

describe('the end', () => {
  test('requests under way are finished, new ones are refused', async () => {
    const provider = await world.provider();
    const { gateway } = await world.start(provider.url, { limits: { shutdownMs: 20_000 } });
    provider.hold('events');
    const answer = ask(gateway.url, { ...bodies(1, true)[0] });
    await provider.until(() => provider.held === 1);
    const closing = gateway.close();
    provider.release();
    expect(await answer).toMatchObject({ status: 200, isCut: false, text: expect.stringContaining('message_stop') });
    await closing;
    await expect(get(gateway, '/healthz')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  test.each([
    ['what does not end in time', 50, 1],
    ['a second close', 3_600_000, 2],
  ])('%s ends the requests that are left, and says why', async (_, shutdownMs, closes) => {
    const provider = await world.provider();
    provider.hold();
    const { gateway } = await world.start(provider.url, { limits: { shutdownMs } });
    const answer = ask(gateway.url, bodies(1)[0]);
    await provider.until(() => provider.held === 1);
    await Promise.all(Array.from({ length: closes }, () => gateway.close()));
    const told = await answer;
    expect(told.status).toBe(503);
    expect(JSON.parse(told.text)).toMatchObject({ type: 'error', error: { type: 'overloaded_error' } });
    await expect(get(gateway, '/healthz')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  test('sessions without a request for long are deleted at the start, and that is logged', async () => {
    const file = path.join(folder(), 'old.db');
    const provider = await world.provider();
    const first = await world.start(provider.url, { store: sqliteStore(file) });
    await post(first.gateway, '/s/old/v1/messages', bodies(1)[0]);
    await first.gateway.close();
    const clock = { now: () => Date.now() + 91 * 86_400_000, wait: () => new Promise<void>(() => {}) };
    const later = await world.start(provider.url, { store: sqliteStore(file), retentionMs: 90 * 86_400_000, clock });
    await expect
      .poll(() => later.lines.join('\n'), { timeout: 5_000 })
      .toContain('Retention of 90 days: 1 sessions with 1 messages deleted.');
    expect((await get(later.gateway, '/ullage/v1/sessions')).text).toBe('{"sessions":[]}');
  });
});
