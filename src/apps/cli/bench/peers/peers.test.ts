import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codecFor } from '../../../../wire/index.ts';
import { textWidth } from '../../terminal/text-width.ts';
import { runInTest } from '../../testing/run-in-test.ts';
import { filler, madeBody, madeTranscript, type Said } from '../testing/made-transcript.ts';
import { entriesOf } from '../transcript/entries.ts';
import { openPeers } from './open-peers.ts';
import { PeerTimeout } from './peer-process.ts';
import { peerStrategy } from './peer-strategy.ts';

const REAL = path.join(import.meta.dirname, '..', '..', '..', '..', '..', 'bench', 'peers');

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'ullage-peers-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A folder of peers that look installed, with the host of the repository. */
function peersFolder(adapters: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(path.join(folder, 'peers-'));
  const host = JSON.stringify(path.join(REAL, 'host.mjs'));
  writeFileSync(path.join(root, 'host.mjs'), `await import(${host});`);
  for (const [name, code] of Object.entries(adapters)) {
    mkdirSync(path.join(root, name, 'node_modules'), { recursive: true });
    const lock = { packages: { [`node_modules/${name}`]: { version: '1.2.3' } } };
    writeFileSync(path.join(root, name, 'node_modules', '.package-lock.json'), JSON.stringify(lock));
    writeFileSync(path.join(root, name, 'package.json'), `{"dependencies":{"${name}":"1.2.3"}}`);
    writeFileSync(path.join(root, name, 'adapter.mjs'), code);
  }
  return root;
}

const QUIET = { onNote: () => undefined, taken: [] };

const strategy = (name: string, run: string, more = '') =>
  `export const strategies = [{ name: '${name}', levelsOf: (messages) => messages.map((_, index) => index), ${more} run: ${run} }];`;
const newest = strategy('newest', '(messages, count) => { console.log("noise"); return messages.slice(-1 - count); }');
const throwing = strategy('throwing', '() => { throw new Error("no such message"); }');
const dying = strategy('dying', '() => { process.exit(3); }');

function said(): readonly Said[] {
  const steps = Array.from({ length: 12 }, (_, index): Said => {
    return { call: { path: `src/module_${index}.ts` }, result: `limitOfPart${index} = ${40_000 + index}\n${filler(150)}` };
  });
  const again = Array.from({ length: 24 }, (_, index): Said => {
    return { call: { note: `limitOfPart${index % 12} in module_${index % 12}.ts` }, result: 'ok' };
  });
  return [{ user: 'Check all parts.' }, ...steps, { agent: 'Half of it is read.' }, ...steps, ...again];
}

describe('ullage bench --peers', () => {
  test('another project stands beside the others; one that throws and one that dies are told and score 0', async () => {
    const file = path.join(folder, 'session.json');
    writeFileSync(file, madeBody(said()));
    const root = peersFolder({ newest, throwing, dying, broken: 'throw new Error("needs a newer runtime");' });
    const { exitCode, stdout, stderr } = await runInTest(['bench', file, '--budget', '25', `--peers=${root}`]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^newest +\d+ +\d+ +\d/m);
    expect(stdout).toMatch(/^throwing +– +0 +0\.0.*\n {2}failed on 4$/m);
    expect(stdout).toMatch(/^dying +– .*\n {2}failed on 4$/m);
    const flat = stdout.replaceAll(/\s+/g, ' ');
    expect(flat).toMatch(/throwing failed on 4 contexts, which count 0: no such message/);
    expect(flat).toMatch(/dying failed on 4 contexts, which count 0: its process ended with 3/);
    expect(flat).toContain('broken 1.2.3: could not be started: needs a newer runtime');
    expect(stdout).toMatch(/^ {2}newest +25 % {2}cold [+−]\d/m);
    for (const line of stdout.split('\n')) if (!line.includes(folder)) expect(textWidth(line)).toBeLessThanOrEqual(80);
    const { stdout: json } = await runInTest(['bench', file, '--budget', '25', '--json', `--peers=${root}`]);
    const { peers, retention } = JSON.parse(json);
    expect(peers.find(({ name }: { name: string }) => name === 'throwing').failures[0]).toMatchObject({ message: 'no such message' });
    const row = (name: string) => retention.find((one: { strategy: string }) => one.strategy === name);
    expect(row('throwing').metrics.cold.mean).toBe(0);
    expect(row('newest')).toMatchObject({ isPeer: true, failed: 0 });
    expect(row('Ullage')).not.toHaveProperty('isPeer');
  });

  test('what a peer says out of turn or not in the form asked for is its own failure; a name that is taken, and a damaged folder, are told', async () => {
    const file = path.join(folder, 'session.json');
    writeFileSync(file, madeBody(said()));
    const root = peersFolder({
      garbage: strategy('garbage', '() => "no list"'),
      chatty: strategy('chatty', '(messages) => { process.send({ messages: "noise" }); return messages.slice(-1); }'),
      nothing: 'export const other = 1;',
      posing: strategy('Ullage', '(messages) => messages.slice(-1)'),
      damaged: newest,
    });
    writeFileSync(path.join(root, 'damaged', 'package.json'), '{"dependencies":');
    const { exitCode, stdout } = await runInTest(['bench', file, '--budget', '25', `--peers=${root}`]);
    expect(exitCode).toBe(0);
    const flat = stdout.replaceAll(/\s+/g, ' ');
    expect(flat).toContain('garbage failed on 4 contexts, which count 0: it gave no list of messages back');
    expect(flat).not.toContain('chatty failed');
    expect(flat).toContain('nothing 1.2.3: could not be started: Its adapter exports no list of strategies.');
    expect(flat).toContain('posing 1.2.3: its row “Ullage” has a name that another row has');
    expect(flat).toContain('damaged: could not be started: ');
  });

  test('a folder without peers says where they are', async () => {
    const file = path.join(folder, 'short.json');
    writeFileSync(file, madeBody([{ user: 'hello' }, { agent: 'hello' }]));
    const { exitCode, stderr } = await runInTest(['bench', file, `--peers=${path.join(folder, 'absent')}`]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('no peers there');
    expect(stderr).toContain('npm run bench:quality -- --peers');
  });

  test('a file that was taken as the folder is named', async () => {
    const { exitCode, stderr } = await runInTest(['bench', '--peers', 'session.json']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('session.json was taken as the folder of --peers');
  });
});

describe('a peer that does not answer', () => {
  test('is not asked any more after three times', async () => {
    let asked = 0;
    const channel = { ask: () => Promise.reject(new PeerTimeout(`too late ${++asked}`)) };
    const { codec, entries } = madeTranscript(said());
    const hanging = peerStrategy({ name: 'hanging' }, channel);
    const told: string[] = [];
    for (let times = 0; times < 5; times += 1) {
      await Promise.resolve(hanging.compact({ codec, entries, budgetTokens: 100 })).catch((error: Error) => told.push(error.message));
    }
    expect(asked).toBe(3);
    expect(told.at(-1)).toBe('it did not answer in time 3 times and was not asked again');
  });

  test('does not outlive a run that is interrupted, nor does its temporary home', async () => {
    const file = path.join(folder, 'session.json');
    writeFileSync(file, madeBody(said()));
    const note = path.join(folder, 'busy.txt');
    const run = `(messages) => { fs.writeFileSync(${JSON.stringify(note)}, process.env.HOME); for (;;) messages.length; }`;
    const root = peersFolder({ busy: `import fs from 'node:fs';\n${strategy('busy', run)}` });
    const main = path.join(import.meta.dirname, '..', '..', 'main.ts');
    const seen = watchFor(note);
    const child = spawn(process.execPath, ['--import', 'tsx', main, 'bench', file, `--peers=${root}`], { stdio: 'ignore' });
    const ended = once(child, 'exit');
    await seen;
    child.kill('SIGINT');
    expect(await ended).toEqual([null, 'SIGINT']);
    expect(existsSync(readFileSync(note, 'utf8'))).toBe(false);
  });
});

/** Resolves when the file is there with something in it. */
async function watchFor(file: string): Promise<void> {
  for await (const _ of watch(path.dirname(file))) if (existsSync(file) && readFileSync(file, 'utf8') !== '') return;
}

describe('a peer is fitted to the budget', () => {
  const input = (budgetTokens: number) => {
    const { codec, entries } = madeTranscript(said());
    return { codec, entries, budgetTokens };
  };
  const sizeOf = (messages: readonly { readonly tokens: number }[]) => messages.reduce((sum, { tokens }) => sum + tokens, 0);
  const made = async (code: string, budgetTokens: number) => {
    const { strategies, close } = await openPeers(peersFolder({ one: code }), QUIET);
    try {
      const own = input(budgetTokens);
      const { messages, api } = await strategies[0]!.compact(own);
      return sizeOf(entriesOf(codecFor(api!), messages));
    } finally {
      close();
    }
  };

  test('as large as fits', async () => {
    const tokens = await made(newest, 1_000);
    expect(tokens).toBeLessThanOrEqual(1_000);
    expect(tokens).toBeGreaterThan(700);
  });

  test('as small as it gets when nothing fits, the second way included', async () => {
    const ways = strategy('ways', '(messages, count, { way }) => messages.slice(0, way === 1 ? 2 : 20 + count)', 'ways: 2,');
    expect(await made(ways, 10)).toBeLessThan(100);
  });

  test('sizes it refuses are passed over', async () => {
    const refusing = strategy('refusing', '(messages, count) => (count < 4 ? undefined : messages.slice(-count))');
    expect(await made(refusing, 900)).toBeLessThanOrEqual(900);
    await expect(made(strategy('never', '() => undefined'), 900)).rejects.toThrow('refused every size');
    const emptying = strategy('emptying', '(messages, count) => (count < 20 ? [] : messages.slice(-count))');
    expect(await made(emptying, 10)).toBeGreaterThan(10);
  });

  test('it has no network, no home and no secrets', async () => {
    process.env.ULLAGE_TEST_SECRET = 'secret';
    const looking = strategy(
      'looking',
      `async () => {
        const told = await fetch('http://127.0.0.1:1').catch((error) => error.message);
        return [{ role: 'user', content: [told, process.env.ULLAGE_TEST_SECRET ?? 'no secret', process.env.HOME].join(' | ') }];
      }`,
    );
    const { strategies, close } = await openPeers(peersFolder({ looking }), QUIET);
    const { messages } = await strategies[0]!.compact(input(1_000));
    close();
    delete process.env.ULLAGE_TEST_SECRET;
    expect(messages[0]).toMatch(/No network while measuring\. \| no secret \| .*ullage-peer-/);
  });
});

const INSTALLED = ['ai-sdk', 'cline', 'gemini-cli', 'langchain', 'mastra', 'pi'];

describe('the peers of the repository', () => {
  for (const name of INSTALLED) {
    const isInstalled = existsSync(path.join(REAL, name, 'node_modules', '.package-lock.json'));
    test.skipIf(!isInstalled)(`${name} takes calls whose arguments are no JSON object (skipped when it is not installed)`, async () => {
      const calls = ['*** Begin Patch', '', '[1]'].map((argumentsText, index) => ({ id: `c${index}`, argumentsText }));
      const raws = [
        { role: 'user', content: 'go' },
        ...calls.flatMap(({ id, argumentsText }) => [
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id, type: 'function', function: { name: 'edit', arguments: argumentsText } }],
          },
          { role: 'tool', tool_call_id: id, content: 'ok' },
        ]),
        { role: 'assistant', content: 'done' },
      ].map((message) => JSON.stringify(message));
      const codec = codecFor('openai-chat');
      const { strategies, close } = await openReal(name);
      try {
        for (const strategy of strategies) {
          const { messages } = await strategy.compact({ codec, entries: entriesOf(codec, raws), budgetTokens: 10_000 });
          expect(messages.length).toBeGreaterThan(0);
        }
      } finally {
        close();
      }
    });

    test.skipIf(!isInstalled)(`${name} compacts (skipped when it is not installed: npm run bench:quality -- --peers)`, async () => {
      const { codec, entries } = madeTranscript(said());
      const tokens = sizeOfEntries(entries);
      const { peers, strategies, close } = await openReal(name);
      try {
        expect(peers[0]?.problem).toBeUndefined();
        expect(strategies.length).toBeGreaterThan(0);
        for (const strategy of strategies) {
          const { messages, api } = await strategy.compact({ codec, entries, budgetTokens: Math.floor(tokens / 2) });
          expect(api).toBe('openai-chat');
          const own = entriesOf(codecFor('openai-chat'), messages);
          expect(own.length).toBeGreaterThan(0);
          expect(sizeOfEntries(own)).toBeLessThan(tokens * 1.05);
        }
      } finally {
        close();
      }
    });
  }
});

/** One peer of the repository alone. */
function openReal(name: string) {
  const root = mkdtempSync(path.join(folder, 'real-'));
  writeFileSync(path.join(root, 'host.mjs'), `await import(${JSON.stringify(path.join(REAL, 'host.mjs'))});`);
  mkdirSync(path.join(root, name, 'node_modules'), { recursive: true });
  writeFileSync(path.join(root, name, 'node_modules', '.package-lock.json'), '{}');
  writeFileSync(path.join(root, name, 'package.json'), '{}');
  writeFileSync(path.join(root, name, 'adapter.mjs'), `export * from ${JSON.stringify(path.join(REAL, name, 'adapter.mjs'))};`);
  return openPeers(root, QUIET);
}

function sizeOfEntries(entries: readonly { readonly tokens: number }[]): number {
  return entries.reduce((sum, { tokens }) => sum + tokens, 0);
}
