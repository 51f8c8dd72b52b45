// Every transcript of the corpus through inspect, compact and replay. Nothing is asserted of time; it is printed.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { compactTranscript } from '../compact/compact-transcript.ts';
import { type LoadedRequest, loadTranscript } from '../shared/load-transcript.ts';
import { measureRequest } from '../shared/request-size.ts';
import { formatCount, formatDuration } from '../terminal/numbers.ts';
import { runInTest } from '../testing/run-in-test.ts';

const CORPUS = path.join(import.meta.dirname, '../../../../../shared/corpus');
const SHARES = [0.1, 0.25, 0.5];
/** Less cannot hold the newest step and a summary of anything. */
const LEAST_ROOM_TOKENS = 2_000;
const FILE_MS = 300_000;

const files = existsSync(CORPUS)
  ? readdirSync(CORPUS, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .flatMap((folder) => readdirSync(path.join(CORPUS, folder.name)).map((file) => path.join(CORPUS, folder.name, file)))
  : [];

const silent = { write: () => {} };
const load = (file: string, stdin?: string) =>
  loadTranscript(
    file,
    {},
    { terminal: { stdin: Readable.from(stdin === undefined ? [] : [stdin]), stdout: silent, stderr: silent, env: {}, now: () => 0 } },
  );

const compactTo = (loaded: LoadedRequest, targetTokens: number) =>
  compactTranscript(loaded, { targetTokens, isDryRun: false, size: measureRequest(loaded.codec, loaded.transcript.bodyText) });

describe.skipIf(files.length === 0)('the corpus (skipped without ../shared/corpus)', () => {
  test.each(files.map((file) => [path.basename(file), file]))(
    '%s: inspected, compacted at 10, 25 and 50 %, replayed',
    async (name, file) => {
      const startedAtMs = performance.now();
      const inspection = JSON.parse((await runInTest(['inspect', file, '--json'])).stdout);
      const loaded = await load(file);
      const { tokens, preambleTokens } = measureRequest(loaded.codec, loaded.transcript.bodyText);
      expect(inspection.tokens.total).toBe(tokens);
      for (const share of SHARES) {
        const target = Math.floor(share * tokens);
        const once = await compactTo(loaded, target);
        expect({ share, violations: loaded.codec.validate(once.text) }).toEqual({ share, violations: [] });
        expect(once.after.tokens).toBeLessThanOrEqual(Math.max(target, tokens));
        if (target > preambleTokens + LEAST_ROOM_TOKENS) expect(once.after.tokens).toBeLessThanOrEqual(target);
        const twice = await compactTo(await load('-', once.text), target);
        expect(twice.text === once.text).toBe(true);
      }
      const compactedAtMs = performance.now();
      const { exitCode, stdout } = await runInTest(['replay', file, '--json']);
      const { totals } = JSON.parse(stdout);
      expect({ exitCode, unsent: totals.unsent, invalid: totals.invalid }).toEqual({ exitCode: 0, unsent: 0, invalid: 0 });
      const times = `compact ${formatDuration((compactedAtMs - startedAtMs) / (2 * SHARES.length))} each, replay ${formatDuration(performance.now() - compactedAtMs)}`;
      console.log(
        `${name}: ${formatCount(tokens)} tokens, ${totals.requests} requests, ${totals.compactions} compactions, cost ${totals.costRatio?.toFixed(2)}; ${times}`,
      );
    },
    FILE_MS,
  );
});
