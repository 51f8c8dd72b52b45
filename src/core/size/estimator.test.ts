import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message, Part } from '../transcript/entry.ts';
import { estimateMessage, estimatePreamble, estimateTokens, MESSAGE_OVERHEAD_TOKENS } from './estimator.ts';
import { automaton, STATE_SHIFT } from './text-states.ts';
import { textSteps } from './text-steps.ts';
import { STEP_WEIGHTS } from './text-weights.ts';

/** Any UTF-16 text, lone surrogates included, with the runs that texts are made of. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 60 }).map((codes) => String.fromCharCode(...codes)),
  fc
    .array(fc.constantFrom('the ', 'Foo', 'BAR', '123', '\n', '    ', '{}', '我们', '😀', 'é', '\\n', '_', '\ud800'), { maxLength: 40 })
    .map((words) => words.join('')),
);

describe('estimateTokens', () => {
  it('is 0 for nothing and a whole number from 0 to three a character for everything', () => {
    expect(estimateTokens('')).toBe(0);
    fc.assert(
      fc.property(anyText, (text) => {
        const tokens = estimateTokens(text);
        expect(Number.isInteger(tokens) && tokens >= 0 && tokens <= 3 * text.length + 1).toBe(true);
      }),
      { seed: 20_26, numRuns: 500 },
    );
  });

  it('never counts less when text is appended', () => {
    fc.assert(
      fc.property(anyText, anyText, (text, more) => {
        expect(estimateTokens(text + more)).toBeGreaterThanOrEqual(estimateTokens(text));
      }),
      { seed: 20_26, numRuns: 500 },
    );
  });

  it('counts a whole about like the sum of its lines, so that counts may be kept per message', () => {
    const text = Array.from(
      { length: 200 },
      (_, line) => `  const value${line} = readFile('src/part-${line}.ts'); // number ${line}\n`,
    ).join('');
    const sum = text.split(/(?<=\n)/).reduce((total, line) => total + estimateTokens(line), 0);
    expect(Math.abs(sum / estimateTokens(text) - 1)).toBeLessThan(0.05);
  });

  it('F06: Chinese costs neither a quarter nor a whole token a character', () => {
    const sentence = '我们昨天把服务迁移到了新的集群，今天早上发现有两个接口的响应时间明显变长。';
    const thousand = sentence.repeat(40).slice(0, 1000);
    expect(estimateTokens(thousand)).toBeGreaterThan(550);
    expect(estimateTokens(thousand)).toBeLessThan(1_000);
  });

  it('F06: encoded bytes cost far more than a quarter of a token a character', () => {
    const base64 = 'U29tZSBieXRlcyB0aGF0IG1lYW4gbm90aGluZywgYnV0IGxvb2sgbGlrZSBhbiBpbWFnZTo9Pz8vKw'.repeat(50);
    expect(estimateTokens(base64)).toBeGreaterThan(0.45 * base64.length);
    expect(estimateTokens(base64)).toBeLessThan(base64.length);
  });

  it('counts a megabyte of one thing in proportion to its length', () => {
    for (const unit of ['a', ' ', '\n', '-', '😀', '\ud800', '啊']) {
      const small = estimateTokens(unit.repeat(10_000));
      const large = estimateTokens(unit.repeat(1_000_000));
      expect(large).toBeGreaterThanOrEqual(90 * small);
      expect(large).toBeLessThanOrEqual(110 * (small + 10));
    }
  });
});

describe('the tables of the estimator', () => {
  it('hold only weights of steps that exist, none too large for its table', () => {
    const { weightNames, stateCount } = automaton();
    const names = STEP_WEIGHTS.split('\n').flatMap((line) => (line === '' ? [] : line.split(', ').map((pair) => pair.split(' = ')[0]!)));
    expect(names.filter((name) => !weightNames.includes(name))).toEqual([]);
    expect(stateCount).toBeLessThanOrEqual(256);
  });

  it('lead from every state to a state that exists', () => {
    const { next } = textSteps();
    const { stateCount } = automaton();
    for (let index = 0; index < stateCount << STATE_SHIFT; index++) expect(next[index]!).toBeLessThan(stateCount);
  });
});

const message = (...parts: Part[]): Message => ({ role: 'assistant', parts, raw: '' });

describe('estimateMessage', () => {
  it('F06: counts every part: text, names and arguments of calls, results', () => {
    const call = (index: number): Part => ({
      kind: 'call',
      id: `c${index}`,
      name: 'write_file',
      argumentsText: JSON.stringify({ path: 'a.ts', content: 'export const limit = readLimit(options, 20);\n'.repeat(22) }),
    });
    const tokens = estimateMessage(message({ kind: 'text', text: 'ok' }, call(0), call(1), call(2), call(3)));
    expect(tokens).toBeGreaterThan(1_000);
    expect(tokens).toBeLessThan(1_500);
  });

  it('F06: an image costs by its pixels, never by its base64', () => {
    const image = (widthPx?: number, heightPx?: number): Part => ({
      kind: 'media',
      mediaKind: 'image',
      sizeBytes: 1_000_000,
      widthPx,
      heightPx,
    });
    const empty = estimateMessage(message());
    expect(empty).toBe(MESSAGE_OVERHEAD_TOKENS);
    expect(estimateMessage(message(image(1024, 1024)))).toBe(empty + 1 + 1_369);
    expect(estimateMessage(message(image(4_000, 4_000)))).toBe(empty + 1 + 1_568);
    expect(estimateMessage(message(image()))).toBe(empty + 1 + 1_600);
  });

  it('F06: media inside a result count at the same price', () => {
    const result: Part = { kind: 'result', callId: 'c', text: '', media: [{ kind: 'media', mediaKind: 'image', sizeBytes: 9 }] };
    expect(estimateMessage(message(result))).toBeGreaterThan(1_600);
  });

  it('files and sounds cost by their size, small files not nothing', () => {
    const media = (mediaKind: 'file' | 'audio', sizeBytes: number) => estimateMessage(message({ kind: 'media', mediaKind, sizeBytes }));
    expect(media('file', 320_000)).toBeGreaterThan(media('file', 10));
    expect(media('file', 10)).toBeGreaterThan(200);
    expect(media('audio', 160_000)).toBeGreaterThan(300);
  });

  it('F06: reasoning is charged once, whether it is readable or encrypted', () => {
    const text = 'I should read the file before I change it. '.repeat(100);
    const readable = estimateMessage(message({ kind: 'thinking', text, isBound: true, opaqueChars: 0 }));
    const both = estimateMessage(message({ kind: 'thinking', text, isBound: true, opaqueChars: 4_000 }));
    const encrypted = estimateMessage(message({ kind: 'thinking', text: '', isBound: true, opaqueChars: 40_000 }));
    expect(both).toBe(readable);
    expect(encrypted).toBeGreaterThan(5_000);
    expect(encrypted).toBeLessThan(10_000);
  });

  it('what must be carried whole counts by its characters', () => {
    expect(estimateMessage(message({ kind: 'opaque', type: 'compaction', sizeChars: 4_000 }))).toBeGreaterThan(900);
  });
});

describe('estimatePreamble', () => {
  it('F06: system and tool schemas count: four tiny messages are not the request', () => {
    const tool = (index: number) => ({
      name: `tool t${index}`,
      text: JSON.stringify({
        name: `t${index}`,
        description: 'Reads a file and returns the lines asked for. '.repeat(14),
        parameters: { type: 'object', properties: { path: { type: 'string' } } },
      }),
    });
    const pieces = [
      { name: 'system', text: 'You are an agent that works in a repository. '.repeat(340) },
      ...Array.from({ length: 30 }, (_, index) => tool(index)),
    ];
    const { tokens, pieces: counted } = estimatePreamble(pieces);
    expect(tokens).toBeGreaterThan(7_000);
    expect(tokens).toBeLessThan(11_000);
    expect(counted.map(({ name }) => name)).toEqual(pieces.map(({ name }) => name));
    expect(counted.reduce((sum, piece) => sum + piece.tokens, 0)).toBe(tokens);
  });

  it('is 0 for none', () => {
    expect(estimatePreamble([])).toEqual({ tokens: 0, pieces: [] });
  });
});
