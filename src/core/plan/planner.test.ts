import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateMessage } from '../size/estimator.ts';
import { FRAME_TOKENS } from '../summary/frame.ts';
import type { Entry } from '../transcript/entry.ts';
import { deriveSteps } from '../transcript/steps.ts';
import { editedMessage } from './edited.ts';
import type { Plan, PlanInput } from './plan.ts';
import { planCompaction } from './planner.ts';
import { anyHistory, assistant, call, chain, inputFor, lines, result, sizeOf, tool, user } from './testing/history.ts';

const RUNS = { seed: 20_251, numRuns: 70 };

const anyInput: fc.Arbitrary<PlanInput> = fc
  .record({
    entries: anyHistory,
    share: fc.double({ min: 0.05, max: 0.95, noNaN: true }),
    tailShare: fc.double({ min: 0.02, max: 0.6, noNaN: true }),
    pass: fc.constantFrom(1 as const, 2 as const, 3 as const),
    canOpenHandles: fc.boolean(),
    pin: fc.boolean(),
  })
  .map(({ entries, share, tailShare, pass, canOpenHandles, pin }) => {
    const budgetTokens = Math.floor(sizeOf(entries) * share);
    const pins = pin ? [{ id: 'p1', text: 'RULE-7 stays' }] : [];
    return inputFor(entries, { budgetTokens, tailTokens: Math.floor(budgetTokens * tailShare), pass, canOpenHandles, pins });
  });

/** Tokens of the messages a plan leaves, counted anew. */
function recount(entries: readonly Entry[], plan: Plan): number {
  const edits = new Map(plan.edits.map((edit) => [edit.position, edit.edits]));
  let tokens = plan.fold === undefined ? 0 : estimateMessage({ role: 'user', parts: [{ kind: 'text', text: plan.fold.text }], raw: '' });
  for (const entry of entries.slice((plan.fold?.to ?? -1) + 1)) {
    const edited = editedMessage(entry.message, edits.get(entry.position) ?? []);
    if (edited.parts.length > 0 || entry.message.parts.length === 0) tokens += estimateMessage(edited);
  }
  return tokens;
}

/** The least that a plan must keep: the newest step and the frame of a summary, with what no edit can shorten. */
function leastTokens(input: PlanInput): number {
  const steps = deriveSteps(input.entries);
  const newest = steps[steps.length - 1]!;
  return sizeOf(input.entries.slice(newest.from)) + FRAME_TOKENS + 40;
}

describe('planCompaction', () => {
  it('accounts for every entry exactly once: folded, edited or live', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const { plan } = planCompaction(input);
        if (plan === undefined) return;
        const to = plan.fold?.to ?? -1;
        const edited = plan.edits.map(({ position }) => position);
        expect(to).toBeLessThan(input.entries.length - 1);
        expect(new Set(edited).size).toBe(edited.length);
        expect(edited).toEqual([...edited].sort((a, b) => a - b));
        for (const position of edited) expect(position).toBeGreaterThan(to);
        expect(plan.tailFrom).toBeGreaterThan(Math.max(to, ...edited));
        expect(plan.watermark).toBe(input.entries.length - 1);
      }),
      RUNS,
    );
  });

  it('F07 never ends a fold inside a step, and keeps the newest step', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const { plan } = planCompaction(input);
        if (plan?.fold === undefined) return;
        const ends = deriveSteps(input.entries).map(({ to }) => to);
        expect(ends).toContain(plan.fold.to);
        expect(plan.fold.to).toBeLessThan(ends[ends.length - 1]!);
      }),
      RUNS,
    );
  });

  it('never passes the budget unless the newest step or the newest ask alone is larger', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const { plan } = planCompaction(input);
        if (plan === undefined || plan.newTokens <= input.budgetTokens) return;
        const asks = input.entries.filter(({ message }) => message.role === 'user').map(({ tokens }) => tokens);
        expect(leastTokens(input) + Math.max(0, ...asks)).toBeGreaterThan(input.budgetTokens);
        expect(plan.newTokens).toBeLessThan(input.currentTokens);
      }),
      RUNS,
    );
  });

  it('counts honestly: a recount of the edited messages agrees', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const { plan } = planCompaction(input);
        if (plan !== undefined) expect(recount(input.entries, plan)).toBe(plan.newTokens);
      }),
      RUNS,
    );
  });

  it('F08 emits well-formed text and keeps arguments JSON', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const { plan } = planCompaction(input);
        for (const { position, edits } of plan?.edits ?? []) {
          for (const edit of edits) {
            const part = 'part' in edit ? input.entries[position]!.message.parts[edit.part]! : undefined;
            if (edit.kind === 'replace-arguments') expect(() => JSON.parse(edit.argumentsText)).not.toThrow();
            if (edit.kind === 'replace-text' && part !== undefined && 'text' in part && part.text.isWellFormed()) {
              expect(edit.text.isWellFormed()).toBe(true);
            }
          }
        }
      }),
      RUNS,
    );
  });

  it('gives the same bytes for the same input, with and without kept work', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const work = new WeakMap();
        const first = JSON.stringify(planCompaction(input, work));
        expect(JSON.stringify(planCompaction(input, work))).toBe(first);
        expect(JSON.stringify(planCompaction(input))).toBe(first);
      }),
      { ...RUNS, numRuns: 30 },
    );
  });

  it('answers unchanged when the result of a plan is planned again', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const { plan } = planCompaction(input);
        if (plan === undefined || plan.newTokens > input.budgetTokens) return;
        expect(planCompaction({ ...input, currentTokens: plan.newTokens })).toEqual({ reason: 'unchanged' });
      }),
      { ...RUNS, numRuns: 30 },
    );
  });

  it('uses nearly all of the budget when there is more to say', () => {
    const said = Array.from({ length: 40 }, (_, index) => [
      assistant(call(`c${index}`, { path: `src/file${index}.ts` })),
      tool(result(`c${index}`, lines(40, `unit${index}x`))),
    ]).flat();
    for (const share of [0.1, 0.25, 0.5]) {
      const input = inputFor(chain([user('Find the fault.'), ...said]), { pruneShare: 1 });
      const budgetTokens = Math.floor(input.currentTokens * share);
      const { plan } = planCompaction({ ...input, budgetTokens, tailTokens: Math.floor(budgetTokens * 0.3) });
      expect(plan!.newTokens).toBeLessThanOrEqual(budgetTokens);
      expect(plan!.newTokens).toBeGreaterThan(budgetTokens * 0.97);
    }
  });

  it('prunes in place when that alone reaches a mild budget, and no more than it asks', () => {
    const said = Array.from({ length: 20 }, (_, index) => [
      assistant(call(`c${index}`, { command: `run ${index}` })),
      tool(result(`c${index}`, lines(60, `job${index}x`))),
    ]).flat();
    const input = inputFor(chain([user('Run them all.'), ...said]));
    const budgetTokens = Math.floor(input.currentTokens * 0.8);
    const { plan } = planCompaction({ ...input, budgetTokens });
    expect(plan!.fold).toBeUndefined();
    expect(plan!.newTokens).toBeLessThanOrEqual(budgetTokens);
    expect(plan!.newTokens).toBeGreaterThan(budgetTokens * 0.97);
    const positions = plan!.edits.map(({ position }) => position);
    expect(Math.max(...positions)).toBeLessThan(20);
    expect(plan!.stages.map(({ kind }) => kind)).toEqual(['prune']);
  });

  it('does not end a fold where one was undone', () => {
    const said = Array.from({ length: 30 }, (_, index) => [
      assistant(call(`c${index}`, { n: index })),
      tool(result(`c${index}`, lines(10, `t${index}x`))),
    ]).flat();
    const input = inputFor(chain([user('Go.'), ...said]));
    const first = planCompaction(input).plan!.fold!;
    const again = planCompaction({ ...input, refusedFolds: [input.entries[first.to]!.chain] }).plan!.fold!;
    expect(again.to).not.toBe(first.to);
  });

  it('says why there is no plan', () => {
    const one = chain([user(lines(200))]);
    const small = chain([user('a'), assistant({ kind: 'text', text: 'b' }), user('c')]);
    expect(planCompaction(inputFor([]))).toEqual({ reason: 'nothing_to_compact' });
    expect(planCompaction(inputFor(one))).toEqual({ reason: 'nothing_to_compact' });
    expect(planCompaction(inputFor(small, { budgetTokens: 9 }))).toEqual({ reason: 'would_grow' });
    expect(planCompaction(inputFor(small, { budgetTokens: 1000 }))).toEqual({ reason: 'unchanged' });
    const long = chain([user('a'), assistant({ kind: 'text', text: lines(100) }), user('c')]);
    expect(planCompaction(inputFor(long, { minGainTokens: 1_000_000 }))).toEqual({ reason: 'below_min_gain' });
  });
});
