import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactSecrets } from '../summary/redact.ts';
import { cutLines } from './lines.ts';
import { printArguments, printRecords } from './records.ts';

const linesOf = (value: unknown, indent?: number): string[] =>
  printRecords(JSON.stringify(value, null, indent))!
    .text.trimEnd()
    .split('\n');

describe('JSON as records', () => {
  const orders = [
    { id: 'W4711', total: 12.5, ship_to: { city: 'Graz' }, tags: ['new', 'gift'], note: null },
    { id: 'W4712', total: 3, ship_to: { city: 'Turku' }, tags: [], note: '' },
  ];

  it('is a table where objects have one shape, their keys once, however the JSON was laid out', () => {
    const padded = orders.map((order) => ({ ...order, about: 'x'.repeat(120) }));
    const expected = [
      '(id | total | ship_to.city | tags | about)',
      `W4711 | 12.5 | Graz | [new, gift] | ${'x'.repeat(120)}`,
      `W4712 | 3 | Turku |  | ${'x'.repeat(120)}`,
    ];
    expect(linesOf(padded)).toEqual(expected);
    expect(linesOf(padded, 2)).toEqual(expected);
    expect(
      linesOf({
        flights: [
          { from: 'MSP', no: 'HAT300' },
          { from: 'EWR', no: 'HAT208' },
        ],
        cabin: 'economy',
      }),
    ).toEqual(['flights: [(from | no) MSP | HAT300; EWR | HAT208], cabin: economy']);
    expect(linesOf({ paid: { card_1: { source: 'card', last: '0589' }, gift_2: { source: 'gift', last: '2869' } } })).toEqual([
      'paid: {( | source | last) card_1 | card | 0589; gift_2 | gift | 2869}',
    ]);
  });

  it('is a line for each object of a list where they have none', () => {
    const apart = [
      { id: 'W4711', total: 12.5, tags: ['new'], about: 'x'.repeat(120) },
      { name: 'Ada', city: 'Graz', born: '1990', phone: 'y'.repeat(120) },
    ];
    expect(linesOf(apart)).toEqual([
      `id: W4711, total: 12.5, tags: [new], about: ${'x'.repeat(120)}`,
      `name: Ada, city: Graz, born: 1990, phone: ${'y'.repeat(120)}`,
    ]);
  });

  it('breaks what is too long at its members, with the name of the list in front', () => {
    const items = Array.from({ length: 5 }, (_, index) => ({ item: `i-${index}`, label: 'y'.repeat(60) }));
    expect(linesOf({ order: 'W1', status: 'open', items, total: 9 })).toEqual([
      'order: W1, status: open',
      'items: (item | label)',
      ...items.map(({ item, label }) => `${item} | ${label}`),
      'total: 9',
    ]);
  });

  it('makes no table of rows too long for a line, of lines of text, of the mark between cells, or with nested lists of objects', () => {
    for (const about of ['x'.repeat(250), 'two\nlines', 'a | b', [{ deep: 1 }]]) {
      const { text } = printRecords(
        JSON.stringify([
          { id: 'W1', about },
          { id: 'W2', about },
        ]),
      )!;
      expect(text).not.toContain('(id');
      expect(text).toContain('id: W1');
      expect(text).toContain('id: W2');
    }
  });

  it('keeps the digits of large numbers', () => {
    expect(printRecords('{"id": 12345678901234567890, "rate": 1.10}')!.text).toBe('id: 12345678901234567890, rate: 1.10\n');
  });

  it('opens a long text inside, and long lines of JSON inside a text', () => {
    expect(linesOf({ exit: 1, output: 'first\nError: no such file' })).toEqual(['exit: 1', 'output: ', 'first', 'Error: no such file']);
    const log = `starting\n${JSON.stringify({ level: 'warn', path: 'a/b', text: 'z'.repeat(160) })}\n{"short":1}`;
    expect(printRecords(log)!.text).toBe(`starting\nlevel: warn, path: a/b, text: ${'z'.repeat(160)}\n{"short":1}\n`);
  });

  it('leaves everything else as it is', () => {
    for (const text of ['', 'plain', '{ not json }', '[1, 2', '"text"', '12']) expect(printRecords(text)).toBeUndefined();
  });

  it('says where the keys are, so that they are no terms', () => {
    const { text, keys } = printRecords('{"user_id": "u_4711", "name": {"first_name": "Ada4"}}')!;
    expect(keys.map((at, index) => (index % 2 === 0 ? text.slice(at, keys[index + 1]) : '')).filter((key) => key !== '')).toEqual([
      'user_id',
      'name',
      'first_name',
    ]);
    const table = cutLines(text, keys);
    expect(Array.from({ length: table.termCount }, (_, at) => text.slice(table.termStart(at), table.termEnd(at)))).toEqual([
      'u_4711',
      'Ada4',
    ]);
  });

  it('F34 keeps a secret of several words together', () => {
    const { text } = printRecords('{"user": "ada", "password": "correct horse battery"}')!;
    expect(redactSecrets(text)).not.toMatch(/correct|horse|battery/);
    const users = ['ada', 'bob'].map((user) => ({ user, password: 'correct horse battery' }));
    expect(redactSecrets(printRecords(JSON.stringify(users))!.text)).not.toMatch(/correct|horse|battery/);
    const nested = ['ada', 'bob'].map((user) => ({ user, login: { password: 'correct horse battery' } }));
    expect(redactSecrets(printRecords(JSON.stringify(nested))!.text)).not.toMatch(/correct|horse|battery/);
  });

  it('loses no value of any JSON, and is safe on deep nesting', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ id: fc.stringMatching(/^[a-f0-9]{1,8}$/), count: fc.nat() }), { minLength: 1 }), (list) => {
        const { text } = printRecords(JSON.stringify(list))!;
        for (const { id, count } of list) expect(text).toContain(list.length > 1 ? `${id} | ${count}` : `id: ${id}, count: ${count}`);
      }),
      { seed: 5, numRuns: 100 },
    );
    expect(printRecords('['.repeat(50_000) + ']'.repeat(50_000))).toBeUndefined();
    expect(printRecords(`{"a":"${'b'.repeat(1_000_000)}"}`)!.text.length).toBeGreaterThan(1_000_000);
  });
});

describe('arguments', () => {
  const shown = (value: unknown): string => printArguments(JSON.stringify(value)).text;

  it('are a value on each line, the first without its key, and switches left out', () => {
    expect(shown({ pattern: 'parseTokens', path: 'src', output_mode: 'content', '-n': true, head_limit: 20 })).toBe(
      'parseTokens\npath: src\n',
    );
    expect(shown({ order_id: 'W1', item_ids: ['4711001', '4711002'] })).toBe('W1\nitem_ids: 4711001\nitem_ids: 4711002\n');
  });

  it('keep an object of a list on one line', () => {
    expect(shown({ todos: [{ content: 'Mend it', status: 'pending', activeForm: 'Mending it' }] })).toBe(
      'content: Mend it, status: pending\n',
    );
  });

  it('that are no JSON stay as they are', () => {
    expect(printArguments('*** Begin Patch').text).toBe('*** Begin Patch');
  });
});
