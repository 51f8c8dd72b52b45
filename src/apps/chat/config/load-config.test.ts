import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it, test } from 'vitest';
import { loadProfile } from './load-config.ts';
import { createSecrets } from './secrets.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'ullage-config-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function configOf(value: unknown): string {
  files++;
  const file = path.join(folder, `${files}.json`);
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
  return file;
}

const SMALLEST = { api: 'openai-chat', model: 'm' };
const withProfile = (more: object) => configOf({ profiles: { default: { ...SMALLEST, ...more } } });
const failing = (file: string) =>
  loadProfile({ file }).then(
    () => expect.unreachable(),
    (error: { code: string; message: string; hint: string }) => error,
  );

it('completes the smallest profile, and finds the database beside the file', async () => {
  const { name, profile, database } = await loadProfile({ file: withProfile({}) });
  expect(name).toBe('default');
  expect(database).toBe(path.join(folder, 'ullage-chat.db'));
  expect(profile).toMatchObject({
    maxSteps: 50,
    notices: 'failures',
    mcpServers: {},
    telegram: { tokenEnv: 'TELEGRAM_BOT_TOKEN', parallel: 16 },
  });
});

describe('the database, when the config names none', () => {
  const folderWith = async (...files: readonly string[]) => {
    const own = mkdtempSync(path.join(folder, 'database-'));
    for (const file of ['ullage.config.json', ...files])
      writeFileSync(path.join(own, file), JSON.stringify({ profiles: { default: SMALLEST } }));
    const { database, databaseNote = '' } = await loadProfile({ file: path.join(own, 'ullage.config.json') });
    return { file: path.basename(database), databaseNote };
  };

  it('is the chat’s own, also beside that of a gateway', async () => {
    expect(await folderWith('ullage.db')).toEqual({ file: 'ullage-chat.db', databaseNote: '' });
  });

  it('is the one in which an earlier version has put conversations; what may happen to them there is told', async () => {
    const { file, databaseNote } = await folderWith('ullage.db', 'ullage.db.chat');
    expect(file).toBe('ullage.db');
    expect(databaseNote).toContain('90 days');
  });

  it('is the chat’s own once it is there; the other one is told', async () => {
    const { file, databaseNote } = await folderWith('ullage.db.chat', 'ullage-chat.db.chat');
    expect(file).toBe('ullage-chat.db');
    expect(databaseNote).toMatch(/--db .*ullage\.db\./);
  });
});

it('takes a file as Windows writes it', async () => {
  const text = JSON.stringify({ profiles: { default: SMALLEST } }, undefined, 2).replaceAll('\n', '\r\n');
  expect((await loadProfile({ file: configOf(`\ufeff${text}`) })).name).toBe('default');
});

describe('what is wrong is named by its key', () => {
  test.each([
    [{ window: 'large' }, 'profiles.default.window'],
    [{ api: 'gemini' }, 'profiles.default.api'],
    [{ apiKey: 'x' }, 'profiles.default.apiKey: there is no such key'],
    [{ url: 'ftp://x' }, 'profiles.default.url'],
    [{ notices: 'none' }, 'profiles.default.notices'],
    [{ allowedUsers: ['me'] }, 'profiles.default.allowedUsers.0'],
    [{ threshold: 0.3, target: 0.5 }, 'profiles.default.target'],
    [{ window: 1_000, threshold: 2_000 }, 'profiles.default.threshold'],
    [{ mcpServers: { 'a b': { command: 'x' } } }, 'profiles.default.mcpServers'],
    [{ mcpServers: { a: { command: 'x', argz: [] } } }, 'json: profiles.default.mcpServers.a.argz: there is no such key.'],
    [{ mcpServers: { a: { url: 'https://x.example', command: 'x' } } }, 'profiles.default.mcpServers.a.'],
    [{ mcpServers: { a: { url: 'nowhere' } } }, 'default.mcpServers.a.url: must be'],
    [{ telegram: { webhook: { url: 'https://x.example/h' } } }, 'profiles.default.telegram.webhook.secretEnv'],
  ])('%j', async (more, key) => {
    const error = await failing(withProfile(more));
    expect(error.code).toBe('option_invalid');
    expect(error.message).toContain(key);
    expect(error.message).not.toContain('(all)');
  });

  it('a file that is missing, or no JSON', async () => {
    expect((await failing(path.join(folder, 'none.json'))).hint).toContain('"profiles"');
    expect((await failing(configOf('{ "profiles": '))).message).toContain('is not JSON');
  });

  it('a profile that is not there', async () => {
    const file = configOf({ profiles: { a: SMALLEST, b: SMALLEST } });
    await expect(loadProfile({ file, profile: 'c' })).rejects.toThrow('profiles.c is not there; known are a, b');
    await expect(loadProfile({ file })).rejects.toThrow('profiles.default is not there');
  });
});

describe('secrets', () => {
  it('a key written in place of its variable is refused, and not repeated', async () => {
    const error = await failing(withProfile({ keyEnv: 'sk-proj-12345-abcdef' }));
    expect(error.message).toContain('profiles.default.keyEnv: must be the name of an environment variable');
    expect(error.message).not.toContain('sk-proj');
  });

  it('the longer of two is taken out as a whole, whichever was read first', () => {
    const secrets = createSecrets({ SHORT: 'abcdef', LONG: 'abcdef-and-more' });
    secrets.read('SHORT', 'a');
    secrets.read('LONG', 'b');
    expect(secrets.redact('x abcdef-and-more y abcdef')).toBe('x [secret] y [secret]');
  });

  it('are taken out of texts, also as part of a URL', () => {
    const secrets = createSecrets({ TOKEN: '123:ab/cdef', EMPTY: ' ' });
    expect(secrets.read('TOKEN', 'tokenEnv')).toBe('123:ab/cdef');
    expect(secrets.redact('https://x/bot123:ab/cdef/getMe and 123%3Aab%2Fcdef')).toBe('https://x/bot[secret]/getMe and [secret]');
    expect(() => secrets.read('EMPTY', 'keyEnv')).toThrow('keyEnv names the variable EMPTY, which is not set.');
  });
});
