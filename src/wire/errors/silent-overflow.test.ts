// F22: overflows that arrive as HTTP 200, and the answers that only look like one.
import { describe, expect, test } from 'vitest';
import type { FinishedRequest } from '../../core/answer.ts';
import { detectSilentOverflow } from './silent-overflow.ts';

const WINDOW = 100_000;

function kindOf(request: Partial<Omit<FinishedRequest, 'usage'>> & { promptTokens?: number; output?: number }): string | undefined {
  const { promptTokens, output, ...rest } = request;
  const known = { windowTokens: WINDOW, hasContent: true, isCalibrated: true, ...rest };
  return detectSilentOverflow({ ...known, usage: { promptTokens, output, raw: {} } })?.kind;
}

describe('F22 silent overflow', () => {
  test.each([
    ['the provider says so', { finishReason: 'model_context_window_exceeded', promptTokens: 99_000 }, 'stopped-at-window'],
    ['the provider says so, without usage', { finishReason: 'model_context_window_exceeded' }, 'stopped-at-window'],
    [
      'empty, length, one below the window',
      { finishReason: 'length', hasContent: false, promptTokens: WINDOW - 1, output: 1 },
      'empty-at-window',
    ],
    ['the name of Gemini', { finishReason: 'MAX_TOKENS', hasContent: false, promptTokens: 99_500 }, 'empty-at-window'],
    ['the name of Responses', { finishReason: 'max_output_tokens', hasContent: false, promptTokens: 99_500 }, 'empty-at-window'],
    ['an empty stream of a full request', { hasContent: false, estimateTokens: 104_000 }, 'empty-at-window'],
    ['counted over the window', { promptTokens: 103_000, estimateTokens: 101_000 }, 'over-window'],
    ['counted over the window, no estimate', { promptTokens: 103_000 }, 'over-window'],
    ['cut by the server', { promptTokens: 4_096, estimateTokens: 60_000 }, 'truncated-upstream'],
  ])('%s', (_, request, expected) => {
    expect(kindOf(request)).toBe(expected);
  });

  test.each([
    ['a good answer', { finishReason: 'stop', promptTokens: 50_000, estimateTokens: 51_000 }],
    ['reasoning used the output up', { finishReason: 'length', hasContent: false, promptTokens: 50_000 }],
    ['a long answer at the window', { finishReason: 'length', promptTokens: 99_500, output: 400 }],
    ['an empty answer that ended well', { finishReason: 'stop', hasContent: false, promptTokens: 99_500 }],
    ['no usage and no window', { hasContent: false, windowTokens: undefined, estimateTokens: 500_000 }],
    ['an empty stream of a small request', { hasContent: false, estimateTokens: 20_000 }],
    ['an estimate that was never calibrated', { promptTokens: 4_096, estimateTokens: 60_000, isCalibrated: false }],
    ['F05 a cumulative counter over the window', { promptTokens: 110_000, estimateTokens: 25_000 }],
    ['F05 a cumulative counter far over the window', { promptTokens: 41_000_900 }],
    [
      'F05 a cumulative counter of an empty answer',
      { promptTokens: 99_500, estimateTokens: 25_000, hasContent: false, finishReason: 'length' },
    ],
  ])('none: %s', (_, request) => {
    expect(kindOf(request)).toBeUndefined();
  });

  test('an uncalibrated estimate is believed less', () => {
    expect(kindOf({ promptTokens: 101_000, estimateTokens: 40_000, isCalibrated: false })).toBe('over-window');
    expect(kindOf({ promptTokens: 101_000, estimateTokens: 40_000, isCalibrated: true })).toBeUndefined();
  });
});
