import { describe, expect, test } from 'vitest';
import { filler, madeTranscript, type Said } from '../testing/made-transcript.ts';
import { deriveCut } from './cut.ts';
import { cutsOf } from './cuts.ts';
import { grade } from './grade.ts';
import { readEvents } from './reading.ts';

function cutAt(said: readonly Said[], at: number) {
  const { events } = madeTranscript(said);
  return deriveCut(events, readEvents(events), at);
}

const names = (said: readonly Said[], at: number) => cutAt(said, at).facts.map(({ text }) => text);

describe('needed facts', () => {
  test('stood in the prefix, and are written by the agent before anybody shows them again', () => {
    const said: Said[] = [
      { user: 'look at alphaConfig and betaConfig' },
      { call: { command: 'cat' }, result: 'gammaConfig deltaConfig' },
      { agent: 'I use alphaConfig here' },
      { call: { command: 'ls' }, result: 'deltaConfig' },
      { agent: 'and gammaConfig, deltaConfig, freshName' },
    ];
    expect(names(said, 3)).toEqual(['alphaConfig', 'gammaConfig']);
  });

  test('a fact that is shown inside a longer text was supplied again', () => {
    const said: Said[] = [
      { user: 'see budget.ts' },
      { call: { command: 'x' }, result: 'ok' },
      { call: { command: 'ls' }, result: 'src/core/budget.ts' },
      { agent: 'budget.ts it is' },
    ];
    expect(names(said, 3)).toEqual([]);
  });

  test('arguments count by their values; keys and tool names do not', () => {
    const said: Said[] = [
      { user: 'targetName otherName run_tests' },
      { call: { x: 1 }, result: 'ok' },
      { call: { targetName: 'otherName' }, result: 'ok' },
    ];
    expect(names(said, 3)).toEqual(['otherName']);
  });

  test('sixty events behind the cut are looked at, and no more', () => {
    const steps = Array.from({ length: 40 }, (): Said => ({ call: { command: 'x' }, result: 'ok' }));
    const said: Said[] = [
      { user: 'nearName farName' },
      { call: { command: 'x' }, result: 'ok' },
      { agent: 'nearName' },
      ...steps,
      { agent: 'farName' },
    ];
    expect(names(said, 3)).toEqual(['nearName']);
  });

  test('of one event the 25 rarest count', () => {
    const many = Array.from({ length: 40 }, (_, index) => `name_${index + 10}`);
    const said: Said[] = [
      { user: many.join(' ') },
      { call: { command: many.slice(0, 20).join(' ') }, result: 'ok' },
      { agent: many.join(' ') },
    ];
    const found = names(said, 3);
    expect(found).toHaveLength(25);
    expect(many.slice(20).every((name) => found.includes(name))).toBe(true);
  });

  test('hostile input: a result of a hundred thousand names that the agent writes out in full is read in one pass', () => {
    const many = Array.from({ length: 100_000 }, (_, index) => `name_${index + 100_000}`).join(' ');
    const said: Said[] = [
      { user: 'go' },
      { call: { command: 'x' }, result: `${many} lastName` },
      { call: { text: many }, result: many },
      { call: { text: many }, result: 'ok' },
      { agent: 'lastName' },
    ];
    expect(names(said, 3)).toHaveLength(26);
    expect(names(said, 4)).toEqual(['lastName']);
  });

  test('a plain word inside a longer one of another script is another word', () => {
    const said: Said[] = [
      { user: 'держатель важен' },
      { call: { command: 'x' }, result: 'ok' },
      { call: { command: 'ls' }, result: 'держателями' },
      { agent: 'держатель' },
    ];
    expect(cutAt(said, 3).words).toEqual(['держатель']);
  });

  test('weight falls with the events a fact stands in; cold is what was last seen well before the cut', () => {
    const said: Said[] = [
      { user: 'coldName oftenName' },
      { call: { command: 'oftenName' }, result: filler(500) },
      { call: { command: 'x' }, result: 'hotName' },
      { agent: 'coldName hotName oftenName' },
    ];
    const facts = new Map(cutAt(said, 5).facts.map((fact) => [fact.text, fact]));
    expect(facts.get('coldName')).toMatchObject({ weight: 1, isCold: true });
    expect(facts.get('oftenName')).toMatchObject({ weight: 0.5, isCold: true });
    expect(facts.get('hotName')).toMatchObject({ weight: 1, isCold: false });
  });
});

describe('cuts', () => {
  test('stand before an answer behind a result or a user, never in the last eight events, each once', () => {
    const said: Said[] = [
      { user: filler(50) },
      ...Array.from({ length: 12 }, (): Said => ({ call: { command: filler(20) }, result: filler(80) })),
    ];
    const { events } = madeTranscript(said);
    const cuts = cutsOf(events);
    expect(cuts.length).toBeGreaterThan(1);
    expect(new Set(cuts).size).toBe(cuts.length);
    for (const cut of cuts) {
      expect(events[cut]?.kind).toBe('call');
      expect(['user', 'result']).toContain(events[cut - 1]?.kind);
      expect(cut).toBeLessThan(events.length - 8);
    }
    expect(cutsOf(events.slice(0, 7))).toEqual([]);
  });
});

describe('grading', () => {
  const said: Said[] = [
    { user: 'Never touch the production database without asking. Read src/deep/inner/file.ts' },
    { call: { command: 'x' }, result: `port is set to hostName for the backup server\n${filler(300)}` },
    { call: { command: 'x' }, result: filler(200) },
    { agent: 'hostName and src/deep/inner/file.ts' },
  ];
  const cut = cutAt(said, 5);
  const coldOf = (text: string) => grade(cut, text).cold.kept;

  test('hostile input: a fact a hundred thousand times on one line of two megabytes', () => {
    const line = '{"hostName": "up", '.repeat(100_000);
    expect(grade(cut, line).cold.kept).toBe(1);
    expect(grade(cut, line).bound.kept).toBe(0);
  });

  test('the whole prefix keeps everything', () => {
    const { events } = madeTranscript(said);
    const all = grade(
      cut,
      events
        .slice(0, 5)
        .map(({ text }) => text)
        .join('\n'),
    );
    for (const kept of [all.all, all.cold, all.bound, all.o2, all.o3, all.constraints]) expect(kept.kept).toBe(kept.asked);
    expect(all.constraints.asked).toBe(1);
  });

  test('a path counts fully with its last two segments, half with its base name', () => {
    expect([coldOf('inner/file.ts'), coldOf('file.ts'), coldOf('xfile.ts'), coldOf('')]).toEqual([1, 0.5, 0, 0]);
  });

  test('a name inside a longer one is not there', () => {
    expect([coldOf('hostName'), coldOf('hostNames'), coldOf('ghostName')]).toEqual([1, 0, 0]);
  });

  test('bound: only on a line that says half of what its own line said', () => {
    const boundOf = (text: string) => grade(cut, text).bound.kept;
    expect(boundOf('names: hostName, x')).toBe(0);
    expect(boundOf('set to hostName for the backup')).toBe(1);
  });

  test('recoverable: here, or behind a handle', () => {
    expect(grade(cut, 'file.ts', ['hostName', 'inner/file.ts']).recoverable.kept).toBe(2);
    expect(grade(cut, 'file.ts', ['hostName', 'inner/file.ts']).cold.kept).toBe(0.5);
  });

  test('constraints: one line holds four fifths of the words', () => {
    const kept = (text: string) => grade(cut, text).constraints.kept;
    expect(kept('- never touch the production database without asking')).toBe(1);
    expect(kept('never touch the\nproduction database without asking')).toBe(0);
    expect(kept('production database')).toBe(0);
  });
});
