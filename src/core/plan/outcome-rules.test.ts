import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CompactionOutcome, type OutcomeReason, type OutcomeStatus, STATUS_REASONS } from './outcome.ts';
import { checkOutcome, describeOutcome, isExhausted, isProgress, type OutcomeFacts } from './outcome-rules.ts';

const facts: OutcomeFacts = {
  attemptId: 'a1',
  sessionId: 's1',
  conversationId: 'c1',
  atMs: Date.UTC(2026, 10, 30, 9, 0, 0),
  durationMs: 41,
  passes: 1,
  triggerReason: 'token_threshold',
  status: 'compacted',
  exhausted: false,
  changedMessages: 80,
  oldMessageCount: 220,
  newMessageCount: 220,
  oldRequestTokens: 161_204,
  newRequestTokens: 74_880,
  tokenSavingsPct: 53.6,
  oldBytes: 700_000,
  newBytes: 330_000,
  thresholdTokens: 153_600,
  targetTokens: 76_800,
  fitsTarget: true,
  fitsThreshold: true,
  fitsWindow: true,
  stages: [],
  summary: 'facts',
  floor: {
    tokens: 41_500,
    contributors: [
      { name: 'system', tokens: 26_000 },
      { name: 'tools', tokens: 12_000 },
    ],
  },
};
const outcome = (change: Partial<CompactionOutcome>): CompactionOutcome => ({ ...facts, message: '', ...change });
const measure = (tokens: number, messageCount = 220, bytes = tokens * 4) => ({ tokens, messageCount, bytes });

describe('isProgress', () => {
  it('F28: the founding case: 220 messages to 220 messages with fewer tokens is a success', () => {
    expect(isProgress(measure(288_028), measure(183_180))).toBe(true);
  });

  it.each([
    [measure(100_000), measure(95_000), 'token_threshold', true],
    [measure(100_000), measure(95_001), 'token_threshold', false],
    [measure(100_000, 220), measure(99_000, 100), 'token_threshold', false],
    [measure(100_000, 220), measure(99_000, 219), 'message_hygiene', true],
    [measure(100_000, 220), measure(99_000, 220), 'message_hygiene', false],
    [measure(100_000, 220), measure(80_000, 220), 'message_hygiene', true],
    [measure(100_000, 220, 5_000_000), measure(100_000, 220, 4_750_000), 'provider_413', true],
    [measure(100_000, 220, 5_000_000), measure(50_000, 220, 5_000_000), 'provider_413', false],
    [measure(0), measure(0), 'manual', false],
  ] as const)('%j → %j for %s: %s', (old, now, trigger, expected) => {
    expect(isProgress(old, now, trigger)).toBe(expected);
  });
});

describe('isExhausted', () => {
  it('F28: G13: only when it does not fit, no pass is left, and nothing was deferred, in all sixteen cases', () => {
    for (const exceedsWindow of [true, false]) {
      for (const isPassPossible of [true, false]) {
        for (const arePassesSpent of [true, false]) {
          for (const wasDeferred of [true, false]) {
            const expected = exceedsWindow && !wasDeferred && (arePassesSpent || !isPassPossible);
            expect(isExhausted({ exceedsWindow, isPassPossible, arePassesSpent, wasDeferred })).toBe(expected);
          }
        }
      }
    }
  });
});

describe('describeOutcome', () => {
  it('F35: says what was committed, with the numbers', () => {
    expect(describeOutcome(facts)).toBe('Compacted: 161,204 → 74,880 tokens, 0 messages fewer, no model call, 41 ms.');
    expect(describeOutcome({ ...facts, newMessageCount: 186, summary: 'model' })).toBe(
      'Compacted: 161,204 → 74,880 tokens, 34 messages fewer, summary by a model, 41 ms.',
    );
    expect(
      describeOutcome({ ...facts, triggerReason: 'provider_413', oldBytes: 32_400_000, newBytes: 15_100_000, newMessageCount: 221 }),
    ).toBe('Compacted: 32.4 MB → 15.1 MB, 161,204 → 74,880 tokens, 1 message more, no model call, 41 ms.');
  });

  it('F35: says why and until when', () => {
    expect(
      describeOutcome({
        ...facts,
        status: 'blocked',
        reason: 'guard_ineffective',
        newRequestTokens: 161_204,
        retryAtMs: facts.atMs + 300_000,
        retryTokens: 192_000,
        fitsThreshold: false,
      }),
    ).toBe(
      'Automatic compaction rests: the last compactions did not bring the context below the threshold; the request has 161,204 tokens; ' +
        'possible again after 2026-11-30 09:05:00 UTC or at 192,000 tokens; still above the threshold of 153,600, but it fits the window.',
    );
    expect(describeOutcome({ ...facts, status: 'deferred', reason: 'in_progress' })).toBe(
      'Compaction put off: another compaction of this conversation is under way; the request has 74,880 tokens.',
    );
    expect(describeOutcome({ ...facts, status: 'no_op', reason: 'floor_above_target', targetTokens: 40_000 })).toBe(
      'Not compacted: 41,500 tokens of it cannot be shortened (largest: system 26,000, tools 12,000), which is above the target of 40,000; the request has 74,880 tokens.',
    );
    expect(describeOutcome({ ...facts, status: 'failed', reason: 'summary_timeout' })).toContain('nothing was changed');
  });

  it('F28: speaks of the window only when the request does not fit it', () => {
    const statuses = Object.keys(STATUS_REASONS) as OutcomeStatus[];
    const cases = statuses.flatMap((status) =>
      STATUS_REASONS[status].map((reason): [OutcomeStatus, OutcomeReason | undefined] => [status, reason]),
    );
    for (const [status, reason] of cases) {
      for (const fitsThreshold of [true, false]) {
        const sentence = describeOutcome({ ...facts, status, reason, fitsThreshold });
        expect(sentence).toMatch(/^[A-Z].*\.$/);
        expect(sentence).not.toMatch(/context length|exceeded|larger than the window|undefined|NaN/);
      }
    }
    expect(describeOutcome({ ...facts, fitsThreshold: false, fitsWindow: false, exhausted: true })).toMatch(
      /larger than the window and nothing more can be compacted\.$/,
    );
  });

  it('never throws, whatever the numbers', () => {
    const number = fc.oneof(fc.integer({ min: 0, max: 2_000_000 }), fc.double());
    fc.assert(
      fc.property(number, number, number, (a, b, c) => {
        const sentence = describeOutcome({
          ...facts,
          status: 'blocked',
          reason: 'guard_refill',
          newRequestTokens: a,
          retryAtMs: b,
          retryTokens: c,
        });
        expect(sentence.startsWith('Automatic compaction rests: ')).toBe(true);
      }),
      { seed: 13, numRuns: 500 },
    );
  });
});

describe('checkOutcome', () => {
  it('F35: accepts exactly the reasons of the table', () => {
    const reasons = new Set<OutcomeReason | undefined>(Object.values(STATUS_REASONS).flatMap((allowed) => [...allowed]));
    reasons.add(undefined);
    for (const [status, allowed] of Object.entries(STATUS_REASONS) as [OutcomeStatus, readonly (OutcomeReason | undefined)[]][]) {
      for (const reason of reasons) {
        const problems = checkOutcome(outcome({ status, reason, retryAtMs: 1 }));
        expect(problems.length === 0).toBe(allowed.includes(reason));
      }
    }
  });

  it.each([
    [{ status: 'deferred', reason: 'in_progress', exhausted: true, fitsThreshold: false, fitsWindow: false }, /exhausted/],
    [{ status: 'blocked', reason: 'guard_refill' }, /without the time/],
    [{ newRequestTokens: Number.NaN }, /newRequestTokens is NaN/],
    [{ passes: -1 }, /passes is -1/],
    [{ newRequestTokens: 170_000 }, /grew/],
    [{ fitsWindow: false }, /not the window/],
  ] as const)('F35: finds the contradiction in %j', (change, problem) => {
    expect(checkOutcome(outcome(change)).join()).toMatch(problem);
  });
});
