// Random JSON texts as clients really write them: odd numbers, every kind of escape, white space anywhere, names of built-in fields.
import fc from 'fast-check';

/** One seed for all properties of this room. */
export const SEED = { seed: 20261104, numRuns: 200 } as const;

const space = fc.constantFrom('', '', '', ' ', '\n  ', '\t', '\r\n');
const number = fc.constantFrom(
  '0',
  '-0',
  '1',
  '1.0',
  '1e2',
  '-1.5E+3',
  '1E-7',
  '0.10',
  '12345678901234567890',
  '9007199254740993',
  '1e999',
);
const piece = fc.oneof(
  fc.string({ maxLength: 40 }).map((text) => text.replace(/["\\]/g, 'x')),
  fc.constantFrom(
    '\\n',
    '\\"',
    '\\\\',
    '\\/',
    '\\u00e9',
    '\\u0000',
    '\\ud83d',
    '\\ud83d\\ude00',
    '日本',
    '😀',
    '\ud800',
    '{}[],:',
    'a'.repeat(90),
  ),
);

/** A JSON string as text. */
export const rawString = fc.array(piece, { maxLength: 6 }).map((pieces) => `"${pieces.join('')}"`);

const name = fc.constantFrom('a', 'b', '1', '__proto__', 'constructor', 'role', 'type', 'caf\\u00e9', 'x_unknown').map((key) => `"${key}"`);
const scalar = fc.oneof(number, rawString, fc.constantFrom('true', 'false', 'null'));

/** Texts of list elements or members, joined with commas and random white space. */
export function joined(open: string, items: readonly string[], close: string, spaces: readonly string[]): string {
  const at = (index: number): string => spaces[index % Math.max(1, spaces.length)] ?? '';
  const body = items.map((item, index) => `${at(index)}${item}${at(index + 1)}`).join(',');
  return `${open}${items.length === 0 ? at(0) : body}${close}`;
}

export const spaces = fc.array(space, { minLength: 1, maxLength: 5 });

/** Any JSON value as text. */
export const rawValue: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.tuple(fc.array(tie('value'), { maxLength: 4 }), spaces).map(([items, gaps]) => joined('[', items, ']', gaps)),
    fc.tuple(fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }), spaces).map(([members, gaps]) => rawObject(members, gaps)),
  ),
})).value;

/** An object from member names and values, both as JSON text. */
export function rawObject(members: readonly (readonly [string, string])[], gaps: readonly string[]): string {
  const items = members.map(([key, value]) => `${key}${gaps[0] ?? ''}:${gaps.at(-1) ?? ''}${value}`);
  return joined('{', items, '}', gaps);
}
