import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactSecrets } from '../summary/redact.ts';
import { LINE } from './line-table.ts';
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

  it('F34 finds a secret that an escaped line break hid', () => {
    const token = `eyJ${'aB3'.repeat(40)}.${'cD5'.repeat(80)}.${'eF7'.repeat(20)}`;
    for (const text of [{ output: `first\n${token}` }, { output: `first\n${token}`, more: 'x'.repeat(250) }]) {
      expect(printRecords(redactSecrets(JSON.stringify(text)))!.text).not.toMatch(/(?:cD5){5}/);
      expect(printArguments(redactSecrets(JSON.stringify(text))).text).not.toMatch(/(?:cD5){5}/);
    }
  });

  it('makes no table whose cells would be mistaken: keys given twice, odd keys, rows that could be told apart by nothing', () => {
    for (const text of [
      '[{"a":"one1","a":"two2"},{"a":"tre3"}]',
      '[{"a":{"b":"one1"},"a.b":"two2"},{"a.b":"tre3"}]',
      '{"one1":{"":"two2"},"tre3":{"":"four"}}',
      '{"one1 | x":{"a":"two2"},"tre3":{"a":"four"}}',
      '{"one1\\nx":{"a":"two2"},"tre3":{"a":"four"}}',
      '[{"a | b":"one1"},{"a | b":"two2"}]',
      '[{"a\\nb":"one1"},{"a\\nb":"two2"}]',
      '[{"a":"one1; two2"},{"a":"tre3"}]',
    ]) {
      const { text: printed } = printRecords(text)!;
      expect(printed, text).not.toMatch(/^\(|\n\(/);
      for (const value of text.match(/one1|two2|tre3|four/g)!) expect(printed, text).toContain(value);
    }
    expect(printRecords('[{},{}]')!.text.trim()).toBe('');
  });

  it('keeps a value that is by chance what its row or its object is called', () => {
    expect(printRecords('{"1":{"count":1,"price":2},"2":{"count":5,"price":3}}')!.text).toBe('( | count | price) 1 | 1 | 2; 2 | 5 | 3\n');
    expect(printRecords('{"1":{"count":1,"price":2}}')!.text).toBe('1: {count: 1, price: 2}\n');
    expect(printRecords('{"tags":["tags","more"]}')!.text).toBe('tags: [tags, more]\n');
    expect(printRecords('{"src/a.ts":{"path":"src/a.ts","lines":2},"src/b.ts":{"path":"src/b.ts","lines":3}}')!.text).toBe(
      '( | lines) src/a.ts | 2; src/b.ts | 3\n',
    );
  });

  it('leaves the digits in front of a bar in a first cell, which are no line number', () => {
    const rows = Array.from({ length: 9 }, (_, index) => ({ range: `${index}|47`, about: 'x'.repeat(40) }));
    expect(linesOf(rows)[1]).toBe(`0|47 | ${'x'.repeat(40)}`);
  });

  it('cuts no heading: neither many columns nor a long name, with line breaks in it, are more than one line of it', () => {
    const wide = Array.from({ length: 9 }, () =>
      Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`a_long_name_of_a_column_${at}`, `v${at}`])),
    );
    const named = {
      [`${'long name '.repeat(23)}\n\nof it`]: Array.from({ length: 9 }, (_, at) => ({ id: `id-${at}`, of: 'x'.repeat(50) })),
    };
    for (const value of [wide, named]) {
      const { text, keys, tables } = printRecords(JSON.stringify(value))!;
      const table = cutLines(text, keys, tables);
      const isHeading = Array.from({ length: table.count }, (_, line) => table.has(line, LINE.heading));
      isHeading.forEach((is, line) => {
        if (is) expect(table.line(line)).toBe('(id | of)');
        if (is) expect(table.has(line + 1, LINE.row)).toBe(true);
      });
      expect(isHeading.filter((is) => is)).toHaveLength(value === named ? 1 : 0);
    }
  });

  it('is linear where many values stand behind a long key', () => {
    const wide = Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`c${index}`, 1]));
    expect(printRecords(JSON.stringify([{ ['k'.repeat(400_000)]: wide }, { b: 1 }]))!.text).toContain('c29999: 1');
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
