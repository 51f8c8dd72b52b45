import { describe, expect, it } from 'vitest';
import { type ContextSizeInput, deriveContextSize, mergeAnchors } from './anchor.ts';
import type { Anchor } from './size.ts';

const anchor = (changes: Partial<Anchor> = {}): Anchor => ({
  model: 'm',
  tip: 't9',
  tipPosition: 9,
  viewId: '',
  preambleDigest: 'p',
  route: 'r',
  promptTokens: 100_000,
  estimateTokens: 80_000,
  atMs: 0,
  ...changes,
});

const input = (changes: Partial<ContextSizeInput> = {}): ContextSizeInput => ({
  anchors: [anchor()],
  viewId: '',
  preambleDigest: 'p',
  route: 'r',
  model: 'm',
  estimateTokens: 84_000,
  tokensAfter: (tip) => ({ t9: 4_000, t5: 20_000 })[tip],
  factor: 1.25,
  ...changes,
});

describe('deriveContextSize', () => {
  it('adds the calibrated estimate of what came after the anchor to what the provider measured', () => {
    expect(deriveContextSize(input()).size).toEqual({ kind: 'measured', tokens: 105_000 });
  });

  it('takes the anchor with the least behind it', () => {
    const anchors = [anchor({ tip: 't5', promptTokens: 70_000 }), anchor()];
    expect(deriveContextSize(input({ anchors })).size.tokens).toBe(105_000);
  });

  it.each([
    ['view', { viewId: 'v1' }],
    ['preamble', { preambleDigest: 'other' }],
    ['route', { route: 'other' }],
    ['model', { model: 'other' }],
  ])('estimates when the %s is another', (_name, changes) => {
    expect(deriveContextSize(input(changes)).size.kind).toBe('estimated');
  });

  it('F02: after a compaction the old, larger size is not read again', () => {
    const after = deriveContextSize(
      input({ anchors: [anchor({ promptTokens: 180_000, estimateTokens: 144_000 })], viewId: 'v1', estimateTokens: 40_000 }),
    );
    expect(after.size).toEqual({ kind: 'estimated', tokens: 50_000 });
  });

  it('F02: an anchor that does not lie on the chain says nothing', () => {
    expect(deriveContextSize(input({ tokensAfter: () => undefined })).size).toEqual({ kind: 'estimated', tokens: 105_000 });
  });

  it('counts what no estimate explains once, and only while the preamble is the same', () => {
    const anchors = [anchor({ promptTokens: 130_000 })];
    expect(deriveContextSize(input({ anchors, viewId: 'v1' }))).toEqual({
      size: { kind: 'estimated', tokens: 135_000 },
      unexplainedTokens: 30_000,
    });
    expect(deriveContextSize(input({ anchors, preambleDigest: 'other' }))).toEqual({
      size: { kind: 'estimated', tokens: 105_000 },
      unexplainedTokens: 0,
    });
    expect(deriveContextSize(input({ anchors })).size.tokens).toBe(135_000);
  });

  it('does not take a reading below the estimate for a negative surplus', () => {
    expect(deriveContextSize(input({ anchors: [anchor({ promptTokens: 90_000 })] })).unexplainedTokens).toBe(0);
  });

  it('is an estimate, not 0, when nothing was ever measured', () => {
    expect(deriveContextSize(input({ anchors: [], factor: 1 })).size).toEqual({ kind: 'estimated', tokens: 84_000 });
  });
});

describe('mergeAnchors', () => {
  it('keeps the newest four of each model, the last recorded first', () => {
    let anchors: readonly Anchor[] = [anchor({ model: 'other', tip: 'o' })];
    for (let position = 0; position < 6; position++)
      anchors = mergeAnchors(anchors, anchor({ tip: `t${position}`, tipPosition: position }));
    expect(anchors.map(({ model, tip }) => `${model} ${tip}`)).toEqual(['m t5', 'm t4', 'm t3', 'm t2', 'other o']);
  });

  it('replaces the row of the same tip', () => {
    const anchors = mergeAnchors([anchor({ promptTokens: 1 }), anchor({ tip: 't5' })], anchor({ promptTokens: 2 }));
    expect(anchors.map(({ tip, promptTokens }) => [tip, promptTokens])).toEqual([
      ['t9', 2],
      ['t5', 100_000],
    ]);
  });
});
