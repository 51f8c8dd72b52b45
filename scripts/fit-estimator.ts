// Fits the estimator's weights to exact o200k_base counts and writes src/core/size/text-weights.ts. Run: npx tsx scripts/fit-estimator.ts
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSessions } from '../bench/estimator-corpus.ts';
import { exactCounter } from '../src/adapters/tokenizer/index.ts';
import { ASCII_MARK_CLASSES, SCRIPT_CLASSES } from '../src/core/size/text-classes.ts';
import { automaton, STATE_SHIFT } from '../src/core/size/text-states.ts';
import { BACKSLASH_LETTER, LETTER_COUNT, packCodes } from '../src/core/size/text-steps.ts';
import { readSamples, type Sample } from './estimator-samples.ts';
import { solveNonNegative } from './non-negative.ts';

/** How much a kind weighs against the whole corpus. */
const SHARES: Readonly<Record<string, number>> = {
  corpus: 1,
  markdown: 0.4,
  'prose english': 0.1,
  javascript: 0.15,
  typescript: 0.1,
  json: 0.1,
  minified: 0.06,
  runs: 0.004,
  listing: 0.1,
};
const OTHER_SHARE = 0.03;
/** Pulls weights that few samples speak of towards the expected one; harder for scripts, of which there is little text. */
const PULL = 2;
const SCRIPT_PULL = 50;
/** What a change of kind is expected to cost before any sample spoke, and a letter of another script, tokens. */
const EXPECTED_CHANGE = 0.4;
const EXPECTED_SCRIPT_LETTER = 0.5;
const LETTERS = 26;

const { next, weightOf, weightNames } = automaton();
const codes = packCodes();
const pairStart = weightNames.length;
const size = pairStart + LETTER_COUNT * LETTERS;

/** How often each weight is added in a text. */
function countSteps(text: string): Map<number, number> {
  const counts = new Map<number, number>();
  const add = (weight: number) => counts.set(weight, (counts.get(weight) ?? 0) + 1);
  let state = 0;
  let letter = 0;
  for (let index = 0; index < text.length; index++) {
    const code = codes[text.charCodeAt(index)]!;
    const step = (state << STATE_SHIFT) | (code & ((1 << STATE_SHIFT) - 1));
    const following = code >> STATE_SHIFT;
    add(weightOf[step]!);
    if (following > 0 && following !== BACKSLASH_LETTER) add(pairStart + letter * LETTERS + following - 1);
    state = next[step]!;
    letter = following;
  }
  return counts;
}

const SCRIPTS: ReadonlySet<string> = new Set(SCRIPT_CLASSES);

/** `name` is undefined for a pair of letters. */
function expectationOf(name: string | undefined): { readonly pull: number; readonly expected: number } {
  if (name === undefined) return { pull: PULL, expected: 0 };
  const isScript = SCRIPTS.has(name.split('>')[1] ?? name.split(' ')[0]!);
  if (isScript) return { pull: SCRIPT_PULL, expected: EXPECTED_SCRIPT_LETTER };
  return { pull: PULL, expected: name.includes('>') ? EXPECTED_CHANGE : 0 };
}

/** Characters by UTF-8 bytes of a code unit; all others take three. */
const ONE_BYTE: ReadonlySet<string> = new Set([...ASCII_MARK_CLASSES, 'lower', 'upper', 'digit', 'space', 'tab', 'newline', 'return']);
const TWO_BYTES: ReadonlySet<string> = new Set([
  'accent',
  'combining',
  'cyrillic',
  'greek',
  'hebrew',
  'arabic',
  'high',
  'emoji-high',
  'low',
]);

/** A code unit never costs more tokens than it has bytes. */
function mostTokens(name: string | undefined): number {
  if (name === undefined) return 1;
  const words = name.split(/[> ]/);
  const to = words.findLast((word) => Number.isNaN(Number(word)))!;
  return ONE_BYTE.has(to) || to === 'escape' ? 1 : TWO_BYTES.has(to) ? 2 : 3;
}

async function fitWeights(): Promise<Float64Array> {
  const counter = await exactCounter({ cacheEntries: 0 });
  const seen = readSamples().filter((sample) => sample.isSeen);
  const counted = seen.map((sample) => ({ sample, tokens: counter.count(sample.text) }));
  const perKind = new Map<string, number>();
  for (const { sample, tokens } of counted) perKind.set(sample.kind, (perKind.get(sample.kind) ?? 0) + tokens);
  const corpusTokens = perKind.get('corpus') ?? 500_000;
  const importance = ({ kind }: Sample) => ((SHARES[kind] ?? OTHER_SHARE) * corpusTokens) / perKind.get(kind)!;
  const gram = new Float64Array(size * size);
  const target = new Float64Array(size);
  for (const { sample, tokens } of counted) {
    const weight = importance(sample) / Math.max(tokens, 30);
    const counts = [...countSteps(sample.text)];
    for (const [row, count] of counts) {
      target[row]! += weight * count * tokens;
      for (const [column, other] of counts) gram[row * size + column]! += weight * count * other;
    }
  }
  for (let index = 0; index < size; index++) {
    const { pull, expected } = expectationOf(weightNames[index]);
    gram[index * size + index]! += pull;
    target[index]! += pull * expected;
  }
  const most = Float64Array.from({ length: size }, (_, index) => mostTokens(weightNames[index]));
  return solveNonNegative({ size, gram, target, most });
}

const MOST_LINE_CHARS = 135;

function packLines(items: readonly string[], separator: string): string {
  const lines: string[] = [];
  for (const item of items) {
    const line = lines.at(-1);
    if (line === undefined || line.length + item.length > MOST_LINE_CHARS) lines.push(item);
    else lines[lines.length - 1] = `${line}${separator}${item}`;
  }
  return lines.join('\n');
}

const milli = (weight: number): number => Math.round(weight * 1000);

if (readSessions().length === 0) throw new Error('The corpus is not there (../shared/corpus): nothing to fit to.');
const weights = await fitWeights();
const steps = weightNames.flatMap((name, index) => (milli(weights[index]!) > 0 ? [`${name} = ${milli(weights[index]!)}`] : []));
const rows = Array.from({ length: LETTER_COUNT }, (_, first) => {
  const row = weights.subarray(pairStart + first * LETTERS, pairStart + (first + 1) * LETTERS);
  return `  '${[...row].map(milli).join(' ')}',`;
});
writeFileSync(
  join(import.meta.dirname, '..', 'src', 'core', 'size', 'text-weights.ts'),
  `// Fitted weights of the estimator, thousandths of a token. Written by: npx tsx scripts/fit-estimator.ts

/** By name of a step of the automaton; what is not listed costs nothing. */
export const STEP_WEIGHTS = \`
${packLines(steps, ', ')}
\`;

/** A letter (column, a to z) behind another: rows are no letter, a to z, a backslash. */
export const PAIR_WEIGHTS: readonly string[] = [
${rows.join('\n')}
];
`,
);
process.stdout.write(`${steps.length} steps, ${LETTER_COUNT * LETTERS} pairs\n`);
