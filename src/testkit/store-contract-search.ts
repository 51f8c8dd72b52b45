// Contract: searching what was said, with any query.
import { type ContractGroup, codeOf, entriesOf, SESSION, TENANT, type World } from './store-contract-world.ts';

const TEXTS = [
  'The build failed in src/core/plan/fold-planner.ts with ECONNRESET',
  'Retry uses snake_case_names and camelCaseNames; see http://example.org/a?b=c',
  '数据库连接失败，请检查配置文件',
  'Il a dit: déjà vu, ÉCLAIR et Straße',
  'migration',
  `a long answer ${'that says little '.repeat(40)} about a migration`,
  'Привет, Мир! 🚀 rocket',
  'nul \0 inside, half \ud800 pair',
];

const FOUND: Readonly<Record<string, number[]>> = {
  econnreset: [0],
  'ECONN*': [0],
  econn: [0],
  'src/core/plan/fold-planner.ts': [0],
  'fold-planner': [0],
  'build ECONNRESET': [0],
  snake_case_names: [1],
  case_names: [1],
  CaseNames: [1],
  'example.org/a?b=c': [1],
  连接失败: [2],
  '检查 数据库': [2],
  'deja VU': [3],
  éclair: [3],
  мир: [6],
  '🚀': [6],
  'nul inside': [7],
  'nothing-like-this': [],
};

const HOSTILE = [
  '"',
  '""',
  "'",
  "'; DROP TABLE entries; --",
  'AND',
  'OR NOT',
  'NEAR(a b, 5)',
  'a*',
  '*',
  '(',
  ')))',
  'text:migration',
  '^migration',
  '- + { } : \\',
  '%',
  '_',
  '\0',
  '\ud800',
  '\u0301',
  '😀'.repeat(500),
  'x '.repeat(5_000),
  'y'.repeat(100_000),
];

async function indexed(world: World) {
  const entries = await world.conversation(TEXTS);
  await world.index();
  return entries;
}

async function positions(world: World, text: string, limit = 20): Promise<number[]> {
  return (await world.store.search({ tenant: TENANT, sessionId: SESSION, text, limit })).map(({ position }) => position);
}

export function searchContract({ test, expect }: ContractGroup): void {
  test('words, paths, identifiers, other scripts and pieces of words are found', async (world) => {
    await indexed(world);
    for (const [query, expected] of Object.entries(FOUND)) expect([query, await positions(world, query)]).toEqual([query, expected]);
  });

  test('no query is an error, and an empty one finds nothing', async (world) => {
    await indexed(world);
    for (const query of HOSTILE) expect(Array.isArray(await positions(world, query))).toBe(true);
    for (const query of ['', '  \n\t', '\0']) expect(await positions(world, query)).toEqual([]);
  });

  test('the best comes first, and no more than asked', async (world) => {
    await indexed(world);
    expect(await positions(world, 'migration')).toEqual([4, 5]);
    expect(await positions(world, 'migration', 1)).toEqual([4]);
    expect(await positions(world, 'migration', 0)).toEqual([]);
  });

  test('entries with all terms hide those with some; without any, some are enough', async (world) => {
    await indexed(world);
    expect(await positions(world, 'migration answer')).toEqual([5]);
    expect((await positions(world, 'migration rocket')).sort()).toEqual([4, 5, 6]);
  });

  test('a hit tells where it is and shows the place of the match', async (world) => {
    const entries = await world.conversation(['start', `${'filler 😀 '.repeat(5_000)}the needle is here${' filler'.repeat(5_000)}`]);
    await world.index();
    const [hit] = await world.store.search({ tenant: TENANT, sessionId: SESSION, text: 'NEEDLE', limit: 5 });
    const { excerpt, ...place } = hit!;
    expect(place).toEqual({ chain: entries[1]!.chain, position: 1, conversationId: 'c1', role: 'assistant', atMs: 10 });
    expect([excerpt.includes('the needle is here'), excerpt.length < 300, /\p{Cs}/u.test(excerpt)]).toEqual([true, true, false]);
  });

  test('entries wait for the index in order; one that has its row is not asked for again', async (world) => {
    const entries = await world.conversation();
    const waiting = async (limit: number) =>
      (await world.store.unindexedEntries({ tenant: TENANT, sessionId: SESSION, limit })).map(({ position, raw, api }) => [
        position,
        raw,
        api,
      ]);
    expect(await waiting(2)).toEqual(entries.slice(0, 2).map(({ position, raw }) => [position, raw, 'anthropic']));
    const rows = [
      { chain: entries[0]!.chain, text: 'zebra' },
      { chain: entries[1]!.chain, text: '' },
      { chain: 'unknown', text: 'zebra' },
    ];
    await world.store.indexEntries({ tenant: TENANT, sessionId: SESSION, rows });
    await world.peer.indexEntries({ tenant: TENANT, sessionId: SESSION, rows });
    expect((await waiting(9)).map(([position]) => position)).toEqual([2, 3]);
    expect(await positions(world, 'zebra')).toEqual([0]);
  });

  test('entries of branches are found; those of other sessions are not', async (world) => {
    const entries = await world.conversation();
    await world.branch(entriesOf(['a zebra crossed'], entries[1]), entries[1]!.chain);
    await world.session({ key: 'key-b', sessionId: 'session-b' });
    await world.store.appendEntries(world.createCommand('c2', entriesOf(['another zebra']), { row: { sessionId: 'session-b' } }));
    await world.index();
    await world.index('session-b');
    expect(await positions(world, 'zebra')).toEqual([2]);
    expect((await world.store.search({ tenant: TENANT, sessionId: 'session-b', text: 'zebra', limit: 9 })).length).toBe(1);
    expect(await world.store.search({ tenant: TENANT, sessionId: 'unknown', text: 'zebra', limit: 9 })).toEqual([]);
    expect(await codeOf(world.store.indexEntries({ tenant: TENANT, sessionId: 'unknown', rows: [] }))).toBe('session_not_found');
  });

  test('a text of one letter, a megabyte long, is indexed and found', async (world) => {
    await world.conversation(['a'.repeat(1_000_000), `${'b'.repeat(500_000)} needle`]);
    await world.index();
    expect(await positions(world, 'a'.repeat(40))).toEqual([0]);
    expect(await positions(world, 'needle')).toEqual([1]);
  });
}
