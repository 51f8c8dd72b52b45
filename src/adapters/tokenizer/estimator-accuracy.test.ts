import { describe, expect, it } from 'vitest';
import { readSessions, splitSessions } from '../../../bench/estimator-corpus.ts';
import { PROSE } from '../../../scripts/estimator-prose.ts';
import { estimateTokens } from '../../core/size/estimator.ts';
import { exactCounter } from './index.ts';

const { unseen } = splitSessions(readSessions());
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

describe('the estimator against exact counts', () => {
  it.each([
    [
      'prose',
      'Read the whole question before you answer. If something important is missing, ask one short question instead of guessing. '.repeat(
        20,
      ),
      0.12,
    ],
    [
      'code',
      'export function sum(values: readonly number[]): number {\n  return values.reduce((total, value) => total + value, 0);\n}\n'.repeat(
        20,
      ),
      0.12,
    ],
    [
      'JSON',
      JSON.stringify(Array.from({ length: 60 }, (_, id) => ({ id, name: `user_${id}`, isActive: id % 2 === 0, score: id * 1.5 }))),
      0.15,
    ],
  ])('F06: is near for %s', async (_name, text, tolerance) => {
    const { count } = await exactCounter();
    expect(Math.abs(estimateTokens(text) / count(text) - 1)).toBeLessThan(tolerance);
  });

  it.each(Object.entries(PROSE))('F06: is within a fifth for prose it never saw: %s', async (_language, [, measured]) => {
    const { count } = await exactCounter();
    expect(Math.abs(estimateTokens(measured) / count(measured) - 1)).toBeLessThan(0.2);
  });

  it.skipIf(unseen.length === 0)(
    'F06: transcripts it never saw: within 6 %, after one calibration within 2 % (needs ../shared/corpus)',
    async () => {
      const { count } = await exactCounter();
      for (const { name, texts } of unseen) {
        const exact = texts.map(count);
        const estimated = texts.map(estimateTokens);
        expect(Math.abs(sum(estimated) / sum(exact) - 1), name).toBeLessThan(0.06);
        let middle = 0;
        for (let passed = 0; passed < sum(exact) / 2; middle++) passed += exact[middle]!;
        const factor = sum(exact.slice(0, middle)) / sum(estimated.slice(0, middle));
        expect(Math.abs((factor * sum(estimated)) / sum(exact) - 1), name).toBeLessThan(0.02);
      }
    },
  );
});
