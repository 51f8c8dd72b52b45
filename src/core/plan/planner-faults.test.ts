import { describe, expect, it } from 'vitest';
import type { Entry, Part } from '../transcript/entry.ts';
import { editedMessage } from './edited.ts';
import type { Plan, PlanInput } from './plan.ts';
import { planCompaction } from './planner.ts';
import { assistant, call, chain, inputFor, lines, result, type Said, sizeOf, text, tool, user } from './testing/history.ts';

const rounds = (count: number, size = 20): readonly Said[] =>
  Array.from({ length: count }, (_, index) => [
    assistant(call(`c${index}`, { command: `job ${index}` })),
    tool(result(`c${index}`, lines(size, `out${index}x`))),
  ]).flat();

function planned(input: PlanInput): Plan {
  const made = planCompaction(input);
  expect(made).toHaveProperty('plan');
  return made.plan!;
}

/** The live messages of a plan as parts. */
function liveParts(entries: readonly Entry[], plan: Plan): readonly Part[] {
  const edits = new Map(plan.edits.map((edit) => [edit.position, edit.edits]));
  return entries.slice((plan.fold?.to ?? -1) + 1).flatMap((entry) => editedMessage(entry.message, edits.get(entry.position) ?? []).parts);
}

const allText = (entries: readonly Entry[], plan: Plan): string =>
  [
    plan.fold?.text ?? '',
    ...liveParts(entries, plan).map((part) => ('text' in part ? part.text : part.kind === 'call' ? part.argumentsText : '')),
  ].join('\n');

const count = (haystack: string, needle: string): number => haystack.split(needle).length - 1;

describe('F03 no-progress loops', () => {
  it('a history of one huge ask ends in a typed reason', () => {
    for (const pass of [1, 2, 3] as const) {
      expect(planCompaction(inputFor(chain([user(lines(500))]), { pass }))).toEqual({ reason: 'nothing_to_compact' });
    }
  });

  it('a huge first ask is cut head and tail once it is folded, with its handle', () => {
    const entries = chain([user(lines(900, 'ask')), assistant(text('Done.')), user('And now?'), assistant(text('Yes.')), user('Go on.')]);
    const plan = planned(inputFor(entries));
    expect(plan.newTokens).toBeLessThanOrEqual(sizeOf(entries) / 4);
    expect(plan.fold!.text).toContain('ask0 reads');
    expect(plan.fold!.text).toContain('ask899 reads');
    expect(plan.fold!.text).toContain(`e_${entries[0]!.chain.slice(0, 12)}`);
  });

  it('a plan that gains too little is refused with its reason, not repeated', () => {
    const entries = chain([user('Start.'), ...rounds(6)]);
    expect(planCompaction(inputFor(entries, { minGainTokens: sizeOf(entries) }))).toEqual({ reason: 'below_min_gain' });
  });
});

describe('F04 compaction that grows', () => {
  it('keeps four short messages as they are', () => {
    const entries = chain([user('Name a colour.'), assistant(text('Blue.')), user('Another.'), assistant(text('Green.'))]);
    for (const pass of [1, 2, 3] as const) expect(planCompaction(inputFor(entries, { pass })).plan).toBeUndefined();
  });

  it('never returns a plan that is as large as what it replaces', () => {
    for (let size = 1; size < 40; size += 3) {
      const input = inputFor(chain([user('Go.'), ...rounds(size % 7, size), user('More.')]), { minGainTokens: 0 });
      const { plan } = planCompaction(input);
      if (plan !== undefined) expect(plan.newTokens).toBeLessThan(input.currentTokens);
    }
  });
});

describe('F07 pairing', () => {
  const fanOut: readonly Said[] = [
    user('Look at ten files.'),
    assistant(...Array.from({ length: 10 }, (_, index) => call(`p${index}`, { path: `f${index}.ts` }))),
    ...Array.from({ length: 10 }, (_, index) => tool(result(` p${index} `.trim(), lines(30, `file${index}x`)))),
    user('And?'),
    assistant(text('All read.')),
    user('Next.'),
  ];

  it('keeps or folds ten parallel calls with all their results, at every budget', () => {
    const entries = chain(fanOut);
    for (let share = 0.02; share < 0.99; share += 0.02) {
      const { plan } = planCompaction(inputFor(entries, { budgetTokens: Math.floor(sizeOf(entries) * share), pruneShare: 2 }));
      const to = plan?.fold?.to;
      if (to !== undefined) expect(to === 0 || to >= 11).toBe(true);
    }
  });

  it('takes a rejection for a result and folds it with its call', () => {
    const entries = chain([
      user('Delete it.'),
      assistant(call('r1', { command: 'rm -r build' })),
      tool({ kind: 'result', callId: 'r1', text: 'The user rejected this call.', isError: true, media: [] }),
      ...rounds(12),
      user('Fine.'),
    ]);
    const plan = planned(inputFor(entries));
    expect(plan.fold!.to).toBeGreaterThanOrEqual(2);
  });

  it('plans over orphans: results of nothing, calls without results, empty names', () => {
    const entries = chain([
      tool(result('ghost', lines(40))),
      user('Go.'),
      assistant(call('never', { n: 1 }), call('x', { n: 2 }, '')),
      user('Well?'),
      ...rounds(10),
      user('End.'),
    ]);
    expect(planned(inputFor(entries)).newTokens).toBeLessThanOrEqual(sizeOf(entries) / 4);
  });
});

describe('F08 malformed payloads', () => {
  it('never splits a surrogate pair at a cut', () => {
    for (let pad = 0; pad < 24; pad += 1) {
      const body = `${'x'.repeat(1990 + pad)}${'📥'.repeat(2000)}`;
      const entries = chain([user('Go.'), ...rounds(4), assistant(call('big', { note: body })), tool(result('big', body)), user('?')]);
      for (const pass of [1, 3] as const) {
        const { plan } = planCompaction(inputFor(entries, { pass }));
        if (plan !== undefined) expect(allText(entries, plan).isWellFormed()).toBe(true);
      }
    }
  });

  it('shortens string values inside arguments and leaves everything else as it was', () => {
    const argumentsText = `{"path": "a.ts",  "content":${JSON.stringify('line "quoted" \\ back\n'.repeat(400))}, "n": 12345678901234567890, "deep":{"x":[1,2]}}`;
    expect(argumentsText.length).toBeGreaterThan(7085);
    const entries = chain([
      user('Go.'),
      assistant(call('w', argumentsText, 'write_file')),
      tool(result('w', 'ok')),
      ...rounds(6),
      user('?'),
    ]);
    const plan = planned(inputFor(entries, { budgetTokens: Math.floor(sizeOf(entries) * 0.75) }));
    const edit = plan.edits.flatMap(({ edits }) => edits).find(({ kind }) => kind === 'replace-arguments');
    expect(edit?.kind).toBe('replace-arguments');
    const shortened = edit?.kind === 'replace-arguments' ? edit.argumentsText : '';
    expect(shortened.startsWith('{"path": "a.ts",  "content":"line ')).toBe(true);
    expect(shortened.endsWith(', "n": 12345678901234567890, "deep":{"x":[1,2]}}')).toBe(true);
    expect(Object.keys(JSON.parse(shortened) as object)).toEqual(['path', 'content', 'n', 'deep']);
  });

  it('leaves scalar and non-JSON arguments alone', () => {
    for (const odd of ['7', 'plain text '.repeat(200), `{"open":"${'y'.repeat(3000)}`]) {
      const entries = chain([user('Go.'), assistant(call('o', odd)), tool(result('o', 'ok')), ...rounds(6), user('?')]);
      const { plan } = planCompaction(inputFor(entries, { budgetTokens: Math.floor(sizeOf(entries) * 0.7) }));
      expect(plan?.edits.flatMap(({ edits }) => edits).some(({ kind }) => kind === 'replace-arguments')).not.toBe(true);
    }
  });
});

describe('F09 reasoning', () => {
  const signed: Part = { kind: 'thinking', text: 'I think so.', isBound: true, opaqueChars: 400 };

  it('never edits signed thinking, and counts it as dropped', () => {
    const said = [user('Go.'), ...rounds(8), assistant(signed, call('z', { n: 1 })), tool(result('z', 'ok')), user('?')];
    const entries = chain(said);
    const plan = planned(inputFor(entries));
    for (const { position, edits } of plan.edits) {
      for (const edit of edits) if ('part' in edit) expect(entries[position]!.message.parts[edit.part]!.kind).not.toBe('thinking');
    }
    expect(liveParts(entries, plan).some(({ kind }) => kind === 'thinking')).toBe(false);
  });

  it('never leaves a message of reasoning alone when stale reasoning goes', () => {
    const open: Part = { kind: 'thinking', text: lines(60, 'why'), isBound: false, opaqueChars: 0 };
    const entries = chain([
      user('Go.'),
      assistant(open),
      assistant(open, call('q', { n: 1 })),
      tool(result('q', 'ok')),
      ...rounds(5),
      user('?'),
    ]);
    for (let share = 0.6; share < 0.98; share += 0.04) {
      const { plan } = planCompaction(inputFor(entries, { budgetTokens: Math.floor(sizeOf(entries) * share) }));
      for (const { position, edits } of plan?.edits ?? []) {
        const left = editedMessage(entries[position]!.message, edits).parts;
        if (edits.some(({ kind }) => kind === 'drop')) expect(left.some(({ kind }) => kind !== 'thinking')).toBe(true);
      }
    }
  });

  it('lets an opaque item of the provider bound the fold', () => {
    const item: Said = { role: 'assistant', parts: [{ kind: 'opaque', type: 'compaction', sizeChars: 900 }] };
    const entries = chain([user('Go.'), ...rounds(10), item, user('On.'), ...rounds(10), user('?')]);
    const at = entries.findIndex(({ message }) => message.parts[0]?.kind === 'opaque');
    for (const pass of [1, 2, 3] as const) {
      const { plan } = planCompaction(inputFor(entries, { pass }));
      expect(plan?.fold?.to ?? -1).toBeLessThan(at);
    }
  });
});

describe('F10 role order', () => {
  it('carries the one user seed of an autonomous run through two folds', () => {
    const seed = 'Watch the queue and mend what breaks.';
    const first = chain([user(seed), ...rounds(60)]);
    const plan = planned(inputFor(first));
    expect(count(plan.fold!.text, seed)).toBe(1);
    const second = chain([user(seed), ...rounds(60), ...rounds(30).map((said) => ({ ...said }))]);
    const again = planned(inputFor(second, { previousFold: { to: plan.fold!.to, summaryText: plan.fold!.text } }));
    expect(count(again.fold!.text, seed)).toBe(1);
    expect(again.fold!.to).toBeGreaterThanOrEqual(plan.fold!.to);
  });

  it('plans a history in which nobody asked anything', () => {
    const entries = chain(rounds(20));
    expect(planned(inputFor(entries)).fold!.text).not.toContain('The first request of the user');
  });
});

describe('F14 stale tasks', () => {
  const entries = chain([
    user('TASK-A: rename the module.'),
    ...rounds(10),
    assistant(text('TASK-A is done.')),
    user('TASK-B: add a test.'),
    ...rounds(10),
  ]);

  it('says an ask once, and leaves the newest where it is or word for word in the record', () => {
    for (const share of [0.1, 0.2, 0.4, 0.6]) {
      const plan = planned(inputFor(entries, { budgetTokens: Math.floor(sizeOf(entries) * share), pruneShare: 2 }));
      expect(count(allText(entries, plan), 'TASK-A: rename the module.')).toBe(1);
      expect(count(allText(entries, plan), 'TASK-B: add a test.')).toBe(1);
    }
  });

  it('has no heading that reads as a task', () => {
    const { text: summary } = planned(inputFor(entries)).fold!;
    expect(summary).not.toMatch(/next steps|remaining work|pending|to-?do|continue with/i);
  });
});

describe('F17 standing instructions', () => {
  it('keeps each pin exactly once over five compactions, and the plan of the agent', () => {
    const pins = [{ id: 'p', text: 'RULE-7: never touch the vendor folder.' }];
    let said: Said[] = [
      user('Go.'),
      assistant(call('t', { todos: [{ content: 'STEP-1 read' }, { content: 'STEP-2 write' }, { content: 'STEP-3 test' }] }, 'TodoWrite')),
      tool(result('t', 'ok')),
    ];
    let previousFold: PlanInput['previousFold'];
    for (let round = 0; round < 5; round += 1) {
      said = [...said, ...rounds(15).map((one) => structuredClone(one))];
      const entries = chain(said);
      const plan = planned(inputFor(entries, { pins, previousFold }));
      expect(count(allText(entries, plan), 'RULE-7')).toBe(1);
      for (const step of ['STEP-1', 'STEP-2', 'STEP-3']) expect(count(allText(entries, plan), step)).toBe(1);
      previousFold = { to: plan.fold!.to, summaryText: plan.fold!.text };
    }
  });

  it('keeps what the user forbade', () => {
    const rule = 'You must never push to the main branch.';
    const asks = Array.from({ length: 12 }, (_, index) => [
      user(`${lines(12, `talk${index}x`)}\n${index === 4 ? rule : 'Fine.'}`),
      ...rounds(3),
    ]).flat();
    for (const share of [0.1, 0.25]) {
      const entries = chain(asks);
      const plan = planned(inputFor(entries, { budgetTokens: Math.floor(sizeOf(entries) * share) }));
      expect(plan.fold!.text).toContain(rule);
    }
  });
});

describe('F18 a tail that cannot shrink', () => {
  it('keeps the newest ask word for word before 200 tool messages and stays in the budget', () => {
    const ask = 'Rebuild the index; the old one is wrong.';
    const entries = chain([user('Hello.'), assistant(text('Hello.')), user(ask), ...rounds(100, 60)]);
    for (const pass of [1, 2, 3] as const) {
      const input = inputFor(entries, { pass, budgetTokens: 12_000, tailTokens: 4000 });
      const plan = planned(input);
      expect(plan.newTokens).toBeLessThanOrEqual(input.budgetTokens);
      expect(plan.newTokens - plan.fold!.tokens).toBeLessThanOrEqual(1.5 * 4000 + input.budgetTokens * 0.12 + 200);
      expect(count(allText(entries, plan), ask)).toBe(1);
    }
  });

  it('shortens eight results of 50,000 characters in the newest step', () => {
    const results = Array.from({ length: 8 }, (_, index) => tool(result(`k${index}`, lines(850, `big${index}x`))));
    const entries = chain([user('Read all.'), assistant(...results.map((_, index) => call(`k${index}`, { n: index }))), ...results]);
    const withPast = chain([...rounds(5), ...entries.map(({ message }) => message)]);
    for (const pass of [1, 2, 3] as const) {
      const input = inputFor(withPast, { pass, budgetTokens: 10_000, tailTokens: 4000 });
      const plan = planned(input);
      expect(plan.newTokens).toBeLessThanOrEqual(input.budgetTokens);
      const kept = liveParts(withPast, plan).filter((part) => part.kind === 'result' && part.callId.startsWith('k'));
      expect(kept).toHaveLength(8);
    }
  });

  it('squeezes a single step that nothing can be folded before', () => {
    const entries = chain([user('Read it.'), assistant(call('s', { n: 1 })), tool(result('s', lines(900)))]);
    const plan = planned(inputFor(entries, { pass: 3, budgetTokens: 2000, tailTokens: 1000 }));
    expect(plan.newTokens).toBeLessThanOrEqual(2000);
    expect(allText(entries, plan)).toContain('Read it.');
  });
});

describe('F32 pruning', () => {
  const same = lines(80, 'same');
  const said: readonly Said[] = [
    user('Look.'),
    assistant(call('a', { file_path: 'src/a.ts' }, 'read_file')),
    tool(result('a', lines(80, 'old'))),
    ...Array.from({ length: 4 }, (_, index) => [
      assistant(call(`s${index}`, { command: 'status' })),
      tool(result(`s${index}`, same)),
    ]).flat(),
    assistant(call('b', { file_path: 'src/a.ts' }, 'read_file')),
    tool(result('b', lines(80, 'new'))),
    ...rounds(3, 4),
    user('And?'),
  ];

  it('prunes repeats first, all of them, and keeps the newest', () => {
    const entries = chain(said);
    const plan = planned(inputFor(entries, { budgetTokens: Math.floor(sizeOf(entries) * 0.61) }));
    const pruned = plan.edits.map(({ position }) => position);
    const newest = entries.findLastIndex(({ message }) => message.parts.some((part) => part.kind === 'result' && part.text === same));
    expect(pruned).toContain(2);
    expect(pruned).not.toContain(newest);
    expect(
      pruned.filter((position) => entries[position]!.message.parts.some((part) => part.kind === 'result' && part.text === same)).length,
    ).toBeGreaterThan(1);
  });

  it('plans from what is stored: the same stubs for the same entries, whatever is sent now', () => {
    const entries = chain(said);
    const budgetTokens = Math.floor(sizeOf(entries) * 0.7);
    const first = planned(inputFor(entries, { budgetTokens }));
    const again = planned(inputFor(entries, { budgetTokens, currentTokens: sizeOf(entries) - 50 }));
    expect(again.edits).toEqual(first.edits);
  });

  it('prints handles only where they can be opened', () => {
    const entries = chain(said);
    for (const canOpenHandles of [true, false]) {
      for (const share of [0.2, 0.7]) {
        const plan = planned(inputFor(entries, { budgetTokens: Math.floor(sizeOf(entries) * share), canOpenHandles }));
        expect(/\be_[0-9a-f]{12}/.test(allText(entries, plan))).toBe(canOpenHandles);
      }
    }
  });
});

describe('message hygiene', () => {
  it('lowers the count to the target although the tokens fit', () => {
    const entries = chain([user('Go.'), ...rounds(200, 2), user('Now?')]);
    const plan = planned(inputFor(entries, { budgetTokens: sizeOf(entries) * 10, messageTarget: 60 }));
    expect(entries.length - 1 - plan.fold!.to + 1).toBeLessThanOrEqual(60);
    expect(entries.length - 1 - plan.fold!.to).toBeGreaterThan(30);
    expect(plan.newTokens).toBeLessThan(sizeOf(entries));
  });

  it('says that a target cannot be reached, with a plan when that helps at all', () => {
    const wide = [
      assistant(...Array.from({ length: 30 }, (_, index) => call(`w${index}`, { n: index }))),
      ...Array.from({ length: 30 }, (_, index) => tool(result(`w${index}`, 'ok'))),
    ];
    const options = { budgetTokens: 1_000_000, messageTarget: 10 };
    expect(planCompaction(inputFor(chain([user('Go.'), ...wide]), options))).toEqual({ reason: 'message_limit_unreachable' });
    const made = planCompaction(inputFor(chain([user('Go.'), ...rounds(30, 3), ...wide]), options));
    expect(made.reason).toBe('message_limit_unreachable');
    expect(made.plan!.fold).toBeDefined();
  });
});
