// Made-up texts from a fixed seed: encoded bytes, logs, emoji, names of places and days in many languages, runs of one character.

export interface MadeUp {
  readonly kind: string;
  readonly texts: readonly string[];
}

/** Numbers from 0 up to below `limit`; the same ones for a seed. */
function randomFrom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor(((state >>> 8) / 0x1000000) * limit);
  };
}

const random = randomFrom(20_26);
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));
const bytes = (count: number): Buffer => Buffer.from(times(count, () => random(256)));
const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;

function logLine(): string {
  const time = `2026-0${1 + random(9)}-1${random(10)}T1${random(10)}:${10 + random(50)}:${10 + random(50)}.${random(1000)}Z`;
  const id = `${bytes(4).toString('hex')}-${bytes(2).toString('hex')}-${bytes(2).toString('hex')}-${bytes(6).toString('hex')}`;
  return `${time} ${pick(['INFO', 'WARN', 'ERROR', 'DEBUG'])} [worker-${random(16)}] request ${id} took ${random(2000)}ms status=${pick([200, 201, 404, 500])}`;
}

const EMOJI = [
  ...'😀😁😂🤣😃😄😅😆😉😊😋😎😍😘🥰🙂🤗🤔😐🙄😏😣😮😴😛🙃😲😖😞😢😭😱😡🤯💀👻👍👎👏🙏💪🔥✨🎉🚀💡✅❌⭐📦📥🐛🧪🔧📝🌍🐳🦀🐍☕🍕',
];

const emojiText = (): string => times(100, () => pick(EMOJI) + pick(['', '', '', ' ', '\uFE0F'])).join('');

/** Languages whose names of places, languages and days stand in for text. */
const NAME_LANGUAGES = [
  'th',
  'ar',
  'hi',
  'he',
  'el',
  'uk',
  'vi',
  'bn',
  'ta',
  'fa',
  'ka',
  'hy',
  'am',
  'km',
  'lo',
  'my',
  'si',
  'te',
  'kn',
  'ml',
  'pa',
  'gu',
];

/** Half of all two-letter codes, so that what is measured was not learnt. */
function namesText(language: string, half: number): string {
  const regions = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
  const languages = new Intl.DisplayNames([language], { type: 'language', fallback: 'none' });
  const days = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' });
  const codes = times(26 * 26, (index) => String.fromCharCode(97 + Math.floor(index / 26), 97 + (index % 26))).filter(
    (_, index) => index % 2 === half,
  );
  const names = codes.flatMap((code) => [regions.of(code.toUpperCase()), languages.of(code)]).filter((name) => name !== undefined);
  return [...names, ...times(20, (index) => days.format((index * 37 + half) * 86_400_000))].join(' ');
}

/** Code points no text uses, and rare ones. */
const randomCharacters = (): string =>
  times(120, () => String.fromCodePoint(pick([0x0530, 0x1200, 0x2c00, 0xa000, 0xe000, 0x10000, 0x1f000, 0x20000]) + random(0x400))).join(
    '',
  );

const RUNS = ['a', 'A', ' ', '-', '=', '*', '\n', '\t', '.', '0', '啊', 'ー', '가', '😀', 'я'];

function jsonText(): string {
  const row = () => ({
    id: random(1e6),
    name: pick(['alpha', 'beta', 'user_name', 'createdAt']),
    ok: random(2) === 1,
    score: random(1000) / 10,
    tags: [pick(['a', 'b']), null],
    key: bytes(8).toString('hex'),
  });
  return JSON.stringify(times(12, row));
}

export function madeUpTexts(): readonly MadeUp[] {
  return [
    { kind: 'base64', texts: times(40, () => bytes(450).toString('base64')) },
    { kind: 'hex', texts: times(40, () => bytes(300).toString('hex')) },
    { kind: 'log', texts: times(60, () => times(8, logLine).join('\n')) },
    { kind: 'dense json', texts: times(30, jsonText) },
    { kind: 'escaped json', texts: times(30, () => JSON.stringify({ text: JSON.stringify(JSON.parse(jsonText()), null, 2) })) },
    { kind: 'emoji', texts: times(30, emojiText) },
    { kind: 'rare characters', texts: times(10, randomCharacters) },
    { kind: 'runs', texts: RUNS.flatMap((char) => times(2, () => char.repeat(600))) },
    ...NAME_LANGUAGES.map((language) => ({ kind: `names ${language}`, texts: [namesText(language, 0), namesText(language, 1)] })),
  ];
}
