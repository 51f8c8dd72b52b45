// Which kind of character each UTF-16 code unit is, as one table look-up. Only what a byte-pair vocabulary treats differently is told apart.

/** Punctuation and symbols that form runs; each may also stand in front of a word and join it. */
export const ASCII_MARK_CLASSES = [
  'underscore',
  'hyphen',
  'dot',
  'slash',
  'comma',
  'colon',
  'quote',
  'open',
  'close',
  'operator',
  'backslash',
] as const;

/** Marks outside ASCII: punctuation and arrows, box drawing, full-width forms. */
export const WIDE_MARK_CLASSES = ['symbol', 'box', 'wide-mark'] as const;

/** Letters of scripts other than Latin; a run of one of them is counted by its length. */
export const SCRIPT_CLASSES = [
  'cyrillic',
  'greek',
  'hebrew',
  'arabic',
  'indic',
  'thai',
  'hiragana',
  'katakana',
  'han',
  'hangul',
  'other-script',
  'rare-script',
] as const;

/** Latin letters. */
export const LATIN_CLASSES = ['lower', 'upper', 'lower-accent', 'upper-accent', 'lower-tone'] as const;

/** What remains: each is its own state. */
export const SINGLE_CLASSES = [
  'digit',
  'space',
  'tab',
  'newline',
  'return',
  'control',
  'combining',
  'rare-han',
  'emoji-high',
  'high',
  'low',
  'private',
] as const;

export const CHARACTER_CLASSES = [
  ...LATIN_CLASSES,
  ...ASCII_MARK_CLASSES,
  ...WIDE_MARK_CLASSES,
  ...SCRIPT_CLASSES,
  ...SINGLE_CLASSES,
] as const;

export type CharacterClass = (typeof CHARACTER_CLASSES)[number];

/** First and last code unit of each block; later lines win. */
const BLOCKS: readonly (readonly [number, number, CharacterClass])[] = [
  [0x0000, 0xffff, 'other-script'],
  [0x0000, 0x001f, 'control'],
  [0x0009, 0x0009, 'tab'],
  [0x000a, 0x000a, 'newline'],
  [0x000d, 0x000d, 'return'],
  [0x0020, 0x0020, 'space'],
  [0x0030, 0x0039, 'digit'],
  [0x0041, 0x005a, 'upper'],
  [0x0061, 0x007a, 'lower'],
  [0x007f, 0x009f, 'control'],
  [0x00a0, 0x00bf, 'symbol'],
  [0x00c0, 0x00de, 'upper-accent'],
  [0x00df, 0x024f, 'lower-accent'],
  [0x0300, 0x036f, 'combining'],
  [0x0370, 0x03ff, 'greek'],
  [0x0400, 0x052f, 'cyrillic'],
  [0x0590, 0x05ff, 'hebrew'],
  [0x0600, 0x077f, 'arabic'],
  [0x0900, 0x0dff, 'indic'],
  [0x0e00, 0x0e7f, 'thai'],
  [0x0e80, 0x0fff, 'rare-script'],
  [0x1000, 0x109f, 'rare-script'],
  [0x1200, 0x1dff, 'rare-script'],
  [0x1e00, 0x1eff, 'lower-tone'],
  [0x2000, 0x2bff, 'symbol'],
  [0x200b, 0x200f, 'combining'],
  [0x2500, 0x25ff, 'box'],
  [0x3000, 0x303f, 'wide-mark'],
  [0x3040, 0x309f, 'hiragana'],
  [0x30a0, 0x30ff, 'katakana'],
  [0xa000, 0xabff, 'rare-script'],
  [0x3400, 0x4dbf, 'rare-han'],
  [0x4e00, 0x9fff, 'han'],
  [0xac00, 0xd7a3, 'hangul'],
  [0xd800, 0xdbff, 'high'],
  [0xd83c, 0xd83e, 'emoji-high'],
  [0xdc00, 0xdfff, 'low'],
  [0xe000, 0xf8ff, 'private'],
  [0xf900, 0xfaff, 'rare-han'],
  [0xfe00, 0xfe0f, 'combining'],
  [0xff00, 0xffef, 'wide-mark'],
  [0xfff0, 0xffff, 'private'],
];

const ASCII_MARKS: Readonly<Record<string, CharacterClass>> = {
  _: 'underscore',
  '-': 'hyphen',
  '.': 'dot',
  '/': 'slash',
  ',;': 'comma',
  ':': 'colon',
  '"\'`': 'quote',
  '([{<': 'open',
  ')]}>': 'close',
  '=+*&|!@#$%^~?': 'operator',
  '\\': 'backslash',
};

function buildClassTable(): Uint8Array {
  const table = new Uint8Array(0x10000);
  for (const [first, last, name] of BLOCKS) table.fill(CHARACTER_CLASSES.indexOf(name), first, last + 1);
  for (const [marks, name] of Object.entries(ASCII_MARKS)) {
    for (const mark of marks) table[mark.charCodeAt(0)] = CHARACTER_CLASSES.indexOf(name);
  }
  return table;
}

/** Index into {@link CHARACTER_CLASSES} by code unit. */
export const CLASS_OF_CODE = buildClassTable();
