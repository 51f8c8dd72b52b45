import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { CORPUS_FOLDER } from '../../bench/estimator-corpus.ts';
import { filesOf, SPLIT } from '../../bench/quality/split.ts';

describe('the split of the corpus', () => {
  test('no file is on both sides, and only one repository is', () => {
    const all = SPLIT.flatMap(({ files }) => files);
    expect(new Set(all).size).toBe(all.length);
    const sides = new Map<string, Set<string>>();
    for (const { repository, side } of SPLIT) sides.set(repository, (sides.get(repository) ?? new Set()).add(side));
    expect([...sides].filter(([, own]) => own.size > 1).map(([repository]) => repository)).toEqual(['entireio/cli']);
  });

  test.skipIf(!existsSync(CORPUS_FOLDER))('every transcript of the corpus has its side (skipped without the corpus)', () => {
    const present = readdirSync(CORPUS_FOLDER, { withFileTypes: true })
      .filter((folder) => folder.isDirectory())
      .flatMap((folder) => readdirSync(path.join(CORPUS_FOLDER, folder.name)).map((file) => `${folder.name}/${file}`));
    expect([...filesOf('held-out'), ...filesOf('tuned-on')].sort()).toEqual(present.sort());
  });
});
