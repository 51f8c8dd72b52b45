// Contract: the append-only transcript of one conversation.
import { type ContractGroup, chainOf, codeOf, entriesOf, SESSION, TENANT } from './store-contract-world.ts';

const NOT_JSON = { 'a lone surrogate': '"\ud800"', 'a lone low surrogate': '"a\udc00b"', 'a NUL character': '"a\0b"' };
const HARD_TEXTS = ['\0 and \u0001', 'half \ud83d a pair', '😀 日本語 العربية e\u0301', '\u2028\u2029\uffff\ufeff', '', '"\\\n\t'];

export function entryContract({ test, expect }: ContractGroup): void {
  test('a first request opens a conversation that is found by its chain', async (world) => {
    const entries = await world.conversation();
    const located = await world.locate(entries);
    expect(located.deepest).toBe(3);
    expect(located.isBranch).toBe(false);
    expect(located.conversation).toEqual({
      conversationId: 'c1',
      sessionId: SESSION,
      api: 'anthropic',
      guardKey: 'c1',
      origin: 'first',
      tip: { chain: entries[3]!.chain, position: 3 },
      tipViewId: '',
      createdAtMs: 10,
    });
    expect([located.guard.version, located.views, located.anchors, located.pins]).toEqual([0, [], [], []]);
  });

  test('an extension moves the tip, one with an old tip is refused and stores nothing', async (world) => {
    const entries = await world.conversation();
    const more = entriesOf(['new ask', 'new answer'], entries[3]);
    expect(await world.extend(more, entries[3]!.chain)).toBe('appended');
    expect(await world.extend(entriesOf(['late'], entries[3]), entries[3]!.chain)).toBe('tip-moved');
    expect((await world.locate(entriesOf(['late'], entries[3]))).deepest).toBe(undefined);
    expect((await world.locate([...entries, ...more])).conversation?.tip?.position).toBe(5);
    expect(await world.textsTo(more[1]!)).toEqual([...entries, ...more].map(({ raw }) => raw));
  });

  test('F26 of two writers that extend one tip at once, one wins and the other is told', async (world) => {
    const entries = await world.conversation();
    const target = { kind: 'extend' as const, conversationId: 'c1', expectedTip: entries[3]!.chain };
    const results = await Promise.all(
      ['left', 'right'].map((text, index) =>
        (index === 0 ? world.store : world.peer).appendEntries(world.command(target, entriesOf([text], entries[3]))),
      ),
    );
    expect(results.map(({ status }) => status).sort()).toEqual(['appended', 'tip-moved']);
  });

  test('locate finds the deepest stored entry of any chain', async (world) => {
    const entries = await world.conversation(Array.from({ length: 37 }, (_, index) => `message ${index}`));
    for (let shared = 0; shared <= entries.length; shared += 1) {
      const asked = [...entries.slice(0, shared), ...entriesOf(['x', 'y', 'z'], entries[shared - 1])];
      const located = await world.locate(asked);
      expect(located.deepest).toBe(shared === 0 ? undefined : shared - 1);
      expect(located.conversation?.conversationId).toBe(shared === 0 ? undefined : 'c1');
      expect((await world.locate(entries.slice(0, shared))).deepest).toBe(shared === 0 ? undefined : shared - 1);
    }
  });

  test('entries are read oldest first, as a whole or in a range', async (world) => {
    const entries = await world.conversation();
    const raws = entries.map(({ raw }) => raw);
    expect(await world.textsTo(entries[3]!)).toEqual(raws);
    expect(await world.textsTo(entries[2]!, { from: 1 })).toEqual(raws.slice(1, 3));
    expect(await world.textsTo(entries[3]!, { from: 1, to: 2 })).toEqual(raws.slice(1, 3));
    expect(await world.textsTo(entries[3]!, { from: 3, to: 2 })).toEqual([]);
    const { store } = world;
    expect(await store.readEntries({ tenant: TENANT, sessionId: SESSION, tip: 'unknown' })).toEqual([]);
    const [first] = await store.readEntries({ tenant: TENANT, sessionId: SESSION, tip: entries[0]!.chain });
    expect(first).toEqual({ ...entries[0], atMs: 10 });
  });

  test('the view under which an answer came is kept, unknown stays unknown', async (world) => {
    await world.session();
    const [ask, first, second] = entriesOf(['ask', 'first', 'second']);
    await world.store.appendEntries(world.createCommand('c1', [ask!, { ...first!, viewId: '' }, { ...second!, viewId: 'v1' }]));
    const stored = await world.store.readEntries({ tenant: TENANT, sessionId: SESSION, tip: second!.chain });
    expect(stored.map(({ viewId }) => viewId)).toEqual([undefined, '', 'v1']);
  });

  test('F24 an entry that is stored already is left alone', async (world) => {
    const entries = await world.conversation();
    const again = entries.map((entry) => ({ ...entry, raw: `${entry.raw} ` }));
    expect(await world.extend([...again, ...entriesOf(['new'], entries[3])], entries[3]!.chain)).toBe('appended');
    expect(await world.textsTo(entries[3]!)).toEqual(entries.map(({ raw }) => raw));
    expect((await world.store.listSessions({ tenant: TENANT }))[0]?.entries).toBe(5);
  });

  test('F24 an append that is repeated has no second effect, another body under its id is a conflict', async (world) => {
    const entries = await world.conversation();
    const target = { kind: 'extend' as const, conversationId: 'c1', expectedTip: entries[3]!.chain };
    const command = world.command(target, entriesOf(['new'], entries[3]));
    expect(await world.store.appendEntries(command)).toEqual({ status: 'appended' });
    await world.extend(entriesOf(['newer'], command.entries[0]), command.entries[0]!.chain);
    expect(await world.peer.appendEntries({ ...command, atMs: 99 })).toEqual({ status: 'appended' });
    expect((await world.locate(entries)).conversation?.tip?.position).toBe(5);
    const other = { ...command, entries: entriesOf(['other'], entries[3]) };
    expect(await codeOf(world.store.appendEntries(other))).toBe('operation_conflict');
  });

  test('an append that was refused may be given again under its id', async (world) => {
    const entries = await world.conversation();
    const newer = entriesOf(['new'], entries[3]);
    const command = world.command({ kind: 'extend', conversationId: 'c1', expectedTip: newer[0]!.chain }, entriesOf(['newer'], newer[0]));
    expect(await world.store.appendEntries(command)).toEqual({ status: 'tip-moved' });
    await world.extend(newer, entries[3]!.chain);
    expect(await world.store.appendEntries(command)).toEqual({ status: 'appended' });
  });

  for (const [name, raw] of Object.entries(NOT_JSON))
    test(`a text with ${name} is refused and nothing of the append is stored`, async (world) => {
      const entries = await world.conversation();
      const [good, bad] = entriesOf(['good', 'bad'], entries[3]);
      expect(await codeOf(world.extend([good!, { ...bad!, raw }], entries[3]!.chain))).toBe('transcript_invalid');
      expect((await world.locate([...entries, good!])).deepest).toBe(3);
    });

  test('hard characters come back byte for byte', async (world) => {
    const entries = await world.conversation(HARD_TEXTS);
    expect(await world.textsTo(entries.at(-1)!)).toEqual(entries.map(({ raw }) => raw));
  });

  test('entries that do not follow what is stored are refused', async (world) => {
    const entries = await world.conversation();
    const [, second] = entriesOf(['left out', 'second'], entries[3]);
    expect(await codeOf(world.extend([second!], entries[3]!.chain))).toBe('transcript_invalid');
    const [a, , c] = entriesOf(['a', 'b', 'c'], entries[3]);
    expect(await codeOf(world.extend([a!, c!], entries[3]!.chain))).toBe('transcript_invalid');
    expect(await codeOf(world.extend([a!], undefined, 'unknown'))).toBe('session_not_found');
  });

  test('an append of several megabytes arrives whole, and can be repeated', async (world) => {
    await world.session();
    const texts = [...Array.from({ length: 300 }, (_, index) => `${index} `.repeat(3_000)), 'ж'.repeat(1_500_000), 'last'];
    const entries = entriesOf(texts);
    const command = world.createCommand('c1', entries);
    expect(await world.store.appendEntries(command)).toEqual({ status: 'appended' });
    expect(await world.peer.appendEntries(command)).toEqual({ status: 'appended' });
    expect((await world.locate(entries)).deepest).toBe(301);
    expect(await world.textsTo(entries[301]!)).toEqual(entries.map(({ raw }) => raw));
  });

  test('an entry is found by the beginning of its chain hash', async (world) => {
    const entries = await world.conversation();
    const found = await world.store.findEntry({ tenant: TENANT, chainPrefix: entries[2]!.chain.slice(0, 12) });
    expect(found).toEqual({ ...entries[2], atMs: 10, conversationId: 'c1', api: 'anthropic' });
    for (const chainPrefix of ['', '%', '_', '*', `${entries[2]!.chain}0`])
      expect(await world.store.findEntry({ tenant: TENANT, sessionId: SESSION, chainPrefix })).toBe(undefined);
    const elsewhere = { tenant: TENANT, sessionId: 'unknown', chainPrefix: chainOf(entries)[2]! };
    expect(await world.store.findEntry(elsewhere)).toBe(undefined);
  });
}
