// What the laws ask of a play. Each throws where one is broken.
import { expect } from 'vitest';
import type { Api } from '../../src/core/transcript/entry.ts';
import { codecFor } from '../../src/wire/index.ts';
import { messagesOf } from './conversation.ts';
import type { Kind, Play, Step } from './law-play.ts';
import { occurrences } from './world.ts';

const counted = (text: string, api: Api): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const { rule } of codecFor(api).validate(text)) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return counts;
};

/** Rules that sending keeps whatever the caller broke. */
const PAIRING = /tool-result|tool-without-call|tool-id-duplicate|call-id-duplicate|reasoning-alone/;

function expectNoneAdded(api: Api, { asked, prepared }: Step): void {
  const own = counted(JSON.stringify(asked), api);
  const added = [...counted(prepared.text, api)].filter(([rule, times]) => times > (own.get(rule) ?? 0) || PAIRING.test(rule));
  expect(added).toEqual([]);
}

/** Law 6. */
export function judgeValidity(api: Api, kind: Kind, { steps }: Play): void {
  for (const step of steps) {
    expectNoneAdded(api, step);
    if (kind === 'well-formed') expect(codecFor(api).validate(step.prepared.text)).toEqual([]);
  }
}

/** Law 3, and steps stay whole. */
export function judgeAccounts(api: Api, { steps }: Play): void {
  for (const { asked, accounted } of steps) {
    const { accounts, isFoldWhole } = accounted;
    expect(accounts.length).toBe(messagesOf(asked).length - (api === 'openai-chat' ? 1 : 0));
    expect(isFoldWhole).toBe(true);
    for (const account of accounts) if (account.state === 'omitted') expect(account.reason).toBeTruthy();
  }
}

/** Sizes after a compaction, and of what is sent. */
export function judgeBudgets({ steps }: Play): void {
  for (const { prepared } of steps) {
    const { outcome, budget, context } = prepared;
    const isExplained = outcome !== undefined && outcome.status !== 'compacted' && outcome.reason !== undefined;
    if (!isExplained) expect(context.tokens).toBeLessThanOrEqual(budget.usable);
    if (outcome?.status !== 'compacted') continue;
    expect(outcome.newRequestTokens).toBeLessThan(outcome.oldRequestTokens);
    expect(outcome.newRequestTokens).toBeLessThanOrEqual(budget.threshold);
  }
}

/** Law 7, across processes; a request that is prepared again is the same. */
export function judgeStability({ steps }: Play): void {
  for (const [index, { prepared, sent, again, isDisturbed }] of steps.entries()) {
    expect(again).toBe(prepared.text);
    const before = steps[index - 1]?.sent;
    if (before === undefined || isDisturbed || prepared.outcome?.status === 'compacted') continue;
    expect(sent.slice(0, before.length)).toEqual(before);
  }
}

/** Law 2. */
export async function judgeStore(api: Api, { world, steps }: Play): Promise<void> {
  const asked = messagesOf(steps.at(-1)!.asked).slice(api === 'openai-chat' ? 1 : 0);
  expect(messagesOf(JSON.parse(await (await world.session()).export()))).toEqual(asked);
}

/** Each pin stands in each request once. */
export function judgePins({ steps }: Play): void {
  for (const { pins, prepared } of steps) {
    const counts = pins.map((pin) => occurrences(prepared.text, pin));
    expect(counts.every((times) => times === 1)).toBe(true);
  }
}
