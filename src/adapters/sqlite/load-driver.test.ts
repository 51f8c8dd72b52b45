import { afterEach, describe, expect, it, vi } from 'vitest';
import { nodeSqliteDriver } from './node-driver.ts';

afterEach(() => {
  vi.doUnmock('./node-driver.ts');
  vi.doUnmock('./better-sqlite3-driver.ts');
  vi.resetModules();
});

describe('the SQLite library', () => {
  it('is the one of the runtime where it has one, else better-sqlite3', async () => {
    const { loadSqliteDriver } = await import('./load-driver.ts');
    expect((await loadSqliteDriver()).name).toBe(nodeSqliteDriver() === undefined ? 'better-sqlite3' : 'node:sqlite');
  });

  it('without any says what to install', async () => {
    vi.doMock('./node-driver.ts', () => ({ nodeSqliteDriver: () => undefined }));
    vi.doMock('./better-sqlite3-driver.ts', () => ({ betterSqlite3Driver: () => Promise.reject(new Error('not installed')) }));
    const { loadSqliteDriver } = await import('./load-driver.ts');
    await expect(loadSqliteDriver()).rejects.toMatchObject({ code: 'store_unavailable', cause: { message: 'not installed' } });
    await expect(loadSqliteDriver()).rejects.toThrow('npm install better-sqlite3');
  });

  it('is loaded without a word about experiments, and leaves other warnings alone', () => {
    const warn = process.emitWarning;
    const warned = vi.spyOn(process, 'emitWarning');
    const spied = process.emitWarning;
    nodeSqliteDriver();
    expect(warned).not.toHaveBeenCalled();
    expect(process.emitWarning).toBe(spied);
    warned.mockRestore();
    expect(process.emitWarning).toBe(warn);
  });
});
