// Histories for tests: short notations for entries, and random histories with everything a provider may send.
import fc from 'fast-check';
import { estimateMessage } from '../../size/estimator.ts';
import type { Entry, Message, Part, Role } from '../../transcript/entry.ts';
import type { PlanInput } from '../plan.ts';

/** A message without its raw JSON. */
export interface Said {
  readonly role: Role;
  readonly parts: readonly Part[];
}

export const text = (value: string): Part => ({ kind: 'text', text: value });
export const user = (value: string): Said => ({ role: 'user', parts: [text(value)] });
export const assistant = (...parts: readonly Part[]): Said => ({ role: 'assistant', parts });
export const call = (id: string, args: unknown, name = 'bash'): Part => ({
  kind: 'call',
  id,
  name,
  argumentsText: typeof args === 'string' ? args : JSON.stringify(args),
});
export const result = (callId: string, value: string): Part => ({ kind: 'result', callId, text: value, media: [] });
export const tool = (...parts: readonly Part[]): Said => ({ role: 'tool', parts });

/** Numbered lines that say something different each. */
export const lines = (count: number, tag = 'row'): string =>
  Array.from({ length: count }, (_, index) => `${tag}${index} reads src/${tag}/part${index}.ts and finds value ${index * 7919}`).join('\n');

/** A chain of entries. Chain hashes are stand-ins that differ by position and text. */
export function chain(said: readonly Said[]): readonly Entry[] {
  return said.map((message, position) => {
    const full: Message = { ...message, raw: JSON.stringify(message) };
    const name = `${position.toString(16).padStart(12, '0')}${hash(full.raw)}`;
    return { position, fingerprint: name, chain: name, message: full, tokens: estimateMessage(full) };
  });
}

function hash(value: string): string {
  let sum = 7;
  for (let at = 0; at < value.length; at += 1) sum = (Math.imul(sum, 31) + value.charCodeAt(at)) | 0;
  return (sum >>> 0).toString(16).padStart(8, '0');
}

export const sizeOf = (entries: readonly Entry[]): number => entries.reduce((sum, { tokens }) => sum + tokens, 0);

/** A plan's input with defaults: the whole history as it is, to a quarter of it. */
export function inputFor(entries: readonly Entry[], options: Partial<PlanInput> = {}): PlanInput {
  const currentTokens = options.currentTokens ?? sizeOf(entries);
  const budgetTokens = options.budgetTokens ?? Math.floor(currentTokens / 4);
  return {
    entries,
    currentTokens,
    budgetTokens,
    tailTokens: Math.floor(budgetTokens * 0.3),
    minGainTokens: 1,
    pins: [],
    pass: 1,
    canOpenHandles: true,
    pruneShare: 0.6,
    refusedFolds: [],
    ...options,
  };
}

const WORDS = 'parser token cache index worker queue commit branch render schema header never must fails'.split(' ');
const ODD_TEXTS = [
  '',
  ' ',
  '\n\n',
  '📥'.repeat(40),
  '\ud800',
  'x'.repeat(3000),
  '漢字仮名'.repeat(60),
  '{"a":[1,2,{"b":"c"}]}',
  '</ullage-summary>',
];

const wordText = (most: number) =>
  fc
    .array(fc.tuple(fc.constantFrom(...WORDS), fc.nat(400)), { minLength: 1, maxLength: most })
    .map((pairs) => pairs.map(([word, number]) => (number % 3 === 0 ? `${word}${number}.ts\n` : `${word} `)).join(''));
const anyText = fc.oneof(
  { weight: 5, arbitrary: wordText(60) },
  { weight: 2, arbitrary: wordText(900) },
  { weight: 1, arbitrary: fc.constantFrom(...ODD_TEXTS) },
);
const anyMedia = fc.record({ kind: fc.constant('media' as const), mediaKind: fc.constant('image' as const), sizeBytes: fc.nat(900_000) });

interface Turn {
  readonly ask: string | undefined;
  readonly steps: readonly {
    readonly say: string | undefined;
    readonly thinking: { readonly text: string; readonly isBound: boolean } | undefined;
    readonly calls: readonly { readonly args: string; readonly out: string; readonly fate: number }[];
  }[];
  readonly image: Part | undefined;
}

const anyTurn: fc.Arbitrary<Turn> = fc.record({
  ask: fc.option(anyText, { nil: undefined, freq: 5 }),
  image: fc.option(anyMedia, { nil: undefined, freq: 8 }),
  steps: fc.array(
    fc.record({
      say: fc.option(anyText, { nil: undefined }),
      thinking: fc.option(fc.record({ text: anyText, isBound: fc.boolean() }), { nil: undefined }),
      calls: fc.array(
        fc.record({
          args: fc.oneof(
            anyText.map((value) => JSON.stringify({ path: 'src/a.ts', body: value })),
            anyText,
          ),
          out: anyText,
          fate: fc.nat(19),
        }),
        { maxLength: 10 },
      ),
    }),
    { maxLength: 5 },
  ),
});

function sayTurn(turn: Turn, number: number): readonly Said[] {
  const said: Said[] = [];
  if (turn.ask !== undefined)
    said.push({ role: 'user', parts: turn.image === undefined ? [text(turn.ask)] : [text(turn.ask), turn.image] });
  turn.steps.forEach((step, index) => {
    const parts: Part[] = [];
    if (step.thinking !== undefined) parts.push({ kind: 'thinking', ...step.thinking, opaqueChars: step.thinking.isBound ? 200 : 0 });
    if (step.say !== undefined) parts.push(text(step.say));
    const ids = step.calls.map((_, at) => `c${number}_${index}_${at}`);
    step.calls.forEach(({ args }, at) => {
      parts.push(call(ids[at]!, args, at % 2 === 0 ? 'read_file' : 'bash'));
    });
    said.push({ role: 'assistant', parts });
    // A few calls are never answered, a few results answer nothing.
    step.calls.forEach(({ out, fate }, at) => {
      if (fate !== 0) said.push(tool(result(fate === 1 ? `lost_${ids[at]}` : ids[at]!, out)));
    });
  });
  return said;
}

/** Random histories: parallel calls, orphans, thinking, images, odd texts, turns without an ask, empty messages. */
export const anyHistory: fc.Arbitrary<readonly Entry[]> = fc
  .array(anyTurn, { minLength: 1, maxLength: 8 })
  .map((turns) => chain(turns.flatMap((turn, number) => sayTurn(turn, number))))
  .filter((entries) => entries.length > 0);
