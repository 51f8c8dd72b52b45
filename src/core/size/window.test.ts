import { describe, expect, it } from 'vitest';
import { isWindowGuessed, resolveWindow } from './window.ts';

describe('resolveWindow', () => {
  it.each([
    ['F01: what the caller told beats the catalogue', { told: 32_768, registry: 1_000_000 }, 32_768],
    ['F01: what a provider proved lowers what was told', { told: 65_536, learnt: 40_960 }, 40_960],
    ['a provider’s number never raises what was told', { told: 128_000, learnt: 200_000 }, 128_000],
    ['the catalogue without any other word', { registry: 200_000 }, 200_000],
    ['a catalogue that is too high is lowered', { registry: 200_000, learnt: 128_000 }, 128_000],
    ['for an unknown model the provider’s own number', { learnt: 262_144 }, 262_144],
    ['a guess when nobody knows', {}, 128_000],
  ])('%s', (_name, known, window) => {
    expect(resolveWindow(known)).toBe(window);
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('F01: a told window of %d is refused by name', (told) => {
    expect(() => resolveWindow({ told })).toThrow(
      expect.objectContaining({ code: 'option_invalid', message: expect.stringContaining('Option window') }),
    );
  });

  it('says when it is a guess', () => {
    expect(isWindowGuessed({})).toBe(true);
    expect(isWindowGuessed({ learnt: 1 })).toBe(false);
  });
});
