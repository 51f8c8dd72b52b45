import { describe, expect, test } from 'vitest';
import { parseBudgets } from '../budgets.ts';
import { parsePrices } from '../measures/prices.ts';
import { parseThresholds } from './thresholds.ts';

const invalid = (part: string) => expect.objectContaining({ code: 'option_invalid', message: expect.stringContaining(part) });

describe('options of the bench', () => {
  test('budgets: percent, ascending, each once', () => {
    expect(parseBudgets('50, 10%,10,12.5')).toEqual([0.1, 0.125, 0.5]);
  });

  test.each(['0', '100', 'x', '10,,20', '-5'])('no budget: %s', (text) => {
    expect(() => parseBudgets(text)).toThrow(invalid('--budget'));
  });

  test('thresholds name a measure and a measured budget', () => {
    expect(parseThresholds('cold@25=98, validity=100', [0.25])).toMatchObject([
      { metric: 'cold', budget: 0.25, least: 98 },
      { metric: 'validity', budget: undefined, least: 100 },
    ]);
    expect(parseThresholds(undefined, [0.25])).toEqual([]);
  });

  test.each([
    ['cold@30=98', 'name a measured budget, such as cold@25=98'],
    ['cold=98', 'name a measured budget'],
    ['warm@25=98', 'the measures are cold, all, bound'],
    ['validity@25=100', 'validity has no budget: write validity=100'],
    ['cold@25', 'the measures are'],
    ['cold@25=much', 'not "much"'],
    ['cold@25=-1', 'not "-1"'],
    ['', 'expected measure@budget=percent'],
    ['cold@25=9,', 'expected measure@budget=percent'],
  ])('no threshold: %s', (text, part) => {
    expect(() => parseThresholds(text, [0.25])).toThrow(invalid(part));
  });

  test('the budget it proposes is as people write it', () => {
    expect(() => parseThresholds('cold=98', [0.07])).toThrow(invalid('such as cold@7=98'));
  });

  test('prices: cached and new', () => {
    expect(parsePrices('--price', '0.1:1.25,0:1')).toEqual([
      { cached: 0.1, fresh: 1.25 },
      { cached: 0, fresh: 1 },
    ]);
    expect(() => parsePrices('--price', '0.1')).toThrow(invalid('0.1:1.25'));
  });
});
