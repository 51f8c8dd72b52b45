// Contract: what is learnt from answers, and pins.
import type { Anchor, Calibration } from '../core/size/size.ts';
import { anchorOf, type ContractGroup, codeOf, entriesOf, SESSION, TENANT, type World } from './store-contract-world.ts';

const C1 = { tenant: TENANT, conversationId: 'c1' };

export function observationContract(group: ContractGroup): void {
  anchorContract(group);
  calibrationContract(group);
  pinContract(group);
}

function observe(world: World, change: { anchor?: Anchor; calibration?: Calibration; operationId?: string }): Promise<void> {
  return world.store.recordObservation({ operationId: world.operationId(), atMs: 60, ...C1, sessionId: SESSION, ...change });
}

function anchorContract({ test, expect }: ContractGroup): void {
  test('the last four anchors of each model are kept, the last recorded first', async (world) => {
    const entries = await world.conversation(['0', '1', '2', '3', '4', '5']);
    for (const entry of entries) await observe(world, { anchor: anchorOf(entry) });
    await observe(world, { anchor: anchorOf(entries[0]!, { model: 'n', atMs: 1 }) });
    const { anchors } = await world.locate(entries);
    expect(anchors.map(({ model, tipPosition }) => [model, tipPosition])).toEqual([
      ['n', 0],
      ['m', 5],
      ['m', 4],
      ['m', 3],
      ['m', 2],
    ]);
    expect(anchors[1]).toEqual(anchorOf(entries[5]!));
  });

  test('an anchor at the same tip replaces the older one', async (world) => {
    const entries = await world.conversation();
    await observe(world, { anchor: anchorOf(entries[1]!) });
    await observe(world, { anchor: anchorOf(entries[3]!) });
    await observe(world, { anchor: anchorOf(entries[1]!, { promptTokens: 5, viewId: 'v1' }) });
    const { anchors } = await world.locate(entries);
    expect(anchors.map(({ tipPosition, promptTokens }) => [tipPosition, promptTokens])).toEqual([
      [1, 5],
      [3, 103],
    ]);
  });

  test('a fork and a rotation begin with the anchors of their parent, a continuation with none', async (world) => {
    const entries = await world.conversation();
    await observe(world, { anchor: anchorOf(entries[3]!) });
    await world.fork('c2', entriesOf(['other'], entries[1]), { from: entries[1]!.chain });
    const shared = { parentId: 'c1', guardKey: 'c1' };
    await world.store.appendEntries(
      world.createCommand('c3', [], { row: { ...shared, origin: 'rotation' }, from: entries[3]!.chain, closes: 'c1' }),
    );
    await world.store.appendEntries(world.createCommand('c4', entriesOf(['go on']), { row: { ...shared, origin: 'continuation' } }));
    const counts = ['c2', 'c3', 'c4'].map(
      async (conversationId) => (await world.store.loadConversation({ tenant: TENANT, conversationId })).anchors.length,
    );
    expect(await Promise.all(counts)).toEqual([1, 1, 0]);
  });

  test('F24 an observation that is repeated has no second effect', async (world) => {
    const entries = await world.conversation();
    const first = { anchor: anchorOf(entries[1]!), operationId: 'same' };
    await observe(world, first);
    await observe(world, { anchor: anchorOf(entries[3]!) });
    await observe(world, first);
    expect((await world.locate(entries)).anchors.map(({ tipPosition }) => tipPosition)).toEqual([3, 1]);
    expect(await codeOf(observe(world, { operationId: 'same' }))).toBe('operation_conflict');
  });
}

function calibrationContract({ test, expect }: ContractGroup): void {
  test('a calibration is kept per route and model; its window is only ever lowered', async (world) => {
    const entries = await world.conversation();
    const { store } = world;
    const row: Calibration = { route: 'r', model: 'm', factor: 1.1, samples: 1 };
    expect(await store.calibrations({ route: 'r', model: 'm' })).toBe(undefined);
    await observe(world, { calibration: row });
    expect(await store.calibrations({ route: 'r', model: 'm' })).toEqual(row);
    for (const windowTokens of [900, undefined, 1_000, 800])
      await observe(world, { calibration: { ...row, factor: 1.2, samples: 2, windowTokens } });
    await observe(world, { calibration: { ...row, factor: 1.3, samples: 3, windowTokens: 850 } });
    const learnt = { ...row, factor: 1.3, samples: 3, windowTokens: 800 };
    expect(await store.calibrations({ route: 'r', model: 'm' })).toEqual(learnt);
    expect(await store.calibrations({ route: 'r', model: 'other' })).toBe(undefined);
    expect((await world.locate(entries)).calibrations).toEqual([learnt]);
  });
}

async function pinTexts(world: World, conversationId = 'c1'): Promise<unknown> {
  const pins = await world.store.pins({ tenant: TENANT, conversationId });
  return pins.map(({ text, placedAt }) => (placedAt === undefined ? text : [text, placedAt]));
}

function pinContract({ test, expect }: ContractGroup): void {
  const add = (world: World, pinId: string, text: string) =>
    world.store.addPin({ operationId: world.operationId(), atMs: 5, ...C1, pin: { pinId, text, createdAtMs: 5 } });

  test('pins are added, placed, listed in order and removed', async (world) => {
    const entries = await world.conversation();
    await add(world, 'p2', 'never push to “main” 😀');
    await add(world, 'p1', 'answer in French');
    await world.store.placePin({ ...C1, pinId: 'p1', placedAt: entries[2]!.chain });
    const expected = ['never push to “main” 😀', ['answer in French', entries[2]!.chain]];
    expect(await pinTexts(world)).toEqual(expected);
    expect((await world.locate(entries)).pins.map(({ pinId, createdAtMs }) => [pinId, createdAtMs])).toEqual([
      ['p2', 5],
      ['p1', 5],
    ]);
    const removal = { operationId: 'removal', atMs: 6, ...C1, pinId: 'p2' };
    expect(await world.store.removePin(removal)).toBe(true);
    expect(await world.peer.removePin(removal)).toBe(true);
    expect(await world.store.removePin({ ...removal, operationId: world.operationId() })).toBe(false);
    expect(await pinTexts(world)).toEqual([expected[1]]);
  });

  test('a pin with a lone surrogate or a NUL is refused, an id is used once, a repeated pin stays one', async (world) => {
    await world.conversation();
    for (const text of ['half \ud800', 'a\0b']) expect(await codeOf(add(world, 'p1', text))).toBe('option_invalid');
    const command = { operationId: 'same', atMs: 5, ...C1, pin: { pinId: 'p1', text: 'x', createdAtMs: 5 } };
    await world.store.addPin(command);
    await world.peer.addPin(command);
    expect(await codeOf(add(world, 'p1', 'y'))).toBe('operation_conflict');
    expect(await pinTexts(world)).toEqual(['x']);
    expect(await codeOf(world.store.addPin({ ...command, operationId: 'lost', conversationId: 'unknown' }))).toBe('session_not_found');
  });

  test('a fork starts with its parent’s pins; a place that is not on its chain is none', async (world) => {
    const entries = await world.conversation();
    for (const id of ['early', 'late', 'unplaced']) await add(world, id, id);
    await world.store.placePin({ ...C1, pinId: 'early', placedAt: entries[0]!.chain });
    await world.store.placePin({ ...C1, pinId: 'late', placedAt: entries[2]!.chain });
    await world.fork('c2', entriesOf(['other'], entries[1]), { from: entries[1]!.chain });
    expect(await pinTexts(world, 'c2')).toEqual([['early', entries[0]!.chain], 'late', 'unplaced']);
    await world.store.removePin({ operationId: world.operationId(), atMs: 6, tenant: TENANT, conversationId: 'c2', pinId: 'early' });
    expect(await pinTexts(world, 'c2')).toEqual(['late', 'unplaced']);
    expect(await pinTexts(world)).toEqual([['early', entries[0]!.chain], ['late', entries[2]!.chain], 'unplaced']);
  });

  test('F25 pins go through a rotation with their places, through a continuation without', async (world) => {
    const entries = await world.conversation();
    await add(world, 'p1', 'keep');
    await world.store.placePin({ ...C1, pinId: 'p1', placedAt: entries[2]!.chain });
    const shared = { parentId: 'c1', guardKey: 'c1' };
    await world.store.appendEntries(
      world.createCommand('c2', [], { row: { ...shared, origin: 'rotation' }, from: entries[3]!.chain, closes: 'c1' }),
    );
    expect(await pinTexts(world, 'c2')).toEqual([['keep', entries[2]!.chain]]);
    const goOn = world.createCommand('c3', entriesOf(['go on']), {
      row: { ...shared, parentId: 'c2', origin: 'continuation' },
      closes: 'c2',
    });
    await world.store.appendEntries(goOn);
    expect(await pinTexts(world, 'c3')).toEqual(['keep']);
  });
}
