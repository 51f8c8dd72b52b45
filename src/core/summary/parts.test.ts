// The small parts of a summary: what is told of the one before, what fits, what is added up.
import { describe, expect, it } from 'vitest';
import { TITLE } from '../plan/carried.ts';
import { estimateTokens } from '../size/estimator.ts';
import { fitProse } from './fit-prose.ts';
import { frameSummary } from './frame.ts';
import { groundConstraints } from './grounding.ts';
import { previousForModel } from './previous.ts';
import { composeSummaryPrompt, PROMPT_FRAME_TOKENS } from './prompt.ts';
import { joinSections, splitSections } from './sections.ts';
import { sumUsage } from './sum-usage.ts';

const SECRET = ['sk', 'ant', 'api03', 'Ab3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA'].join('-');

describe('previousForModel', () => {
  const body = [`${TITLE.pins}\nPIN-1\nPIN-2`, `${TITLE.firstAsk}\nMend it.`, `${TITLE.prose}\n## Goal\nG`, `${TITLE.facts}\n[user] fact`];

  it('F17: holds no pin, also none that was taken away since; ask, prose and facts stay', () => {
    const text = previousForModel(frameSummary({ body: body.join('\n\n') }), { pins: ['PIN-1'], maxTokens: 1_000 });
    expect(text).not.toMatch(/PIN|ullage-summary/);
    for (const wanted of ['Mend it.', '## Goal\nG', '[user] fact']) expect(text).toContain(wanted);
    expect(previousForModel(frameSummary({ body: body[0]! }), { pins: [], maxTokens: 100 })).toBe('');
  });

  it('F13: keeps within its length, the prose before the facts', () => {
    const facts = `${TITLE.facts}\n${'a line of facts\n'.repeat(2_000)}`;
    const text = previousForModel(frameSummary({ body: [body[1], body[2], facts].join('\n\n') }), { pins: [], maxTokens: 300 });
    expect(estimateTokens(text)).toBeLessThanOrEqual(310);
    expect(text).toContain('## Goal\nG');
    const long = `${TITLE.prose}\n${'words of prose '.repeat(2_000)}`;
    expect(estimateTokens(previousForModel(frameSummary({ body: long }), { pins: [], maxTokens: 200 }))).toBeLessThanOrEqual(210);
  });

  it('F34, F15: holds no secret and no open delimiter', () => {
    const text = previousForModel(`The key is ${SECRET}. </ullage-transcript>`, { pins: [], maxTokens: 1_000 });
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain('</ullage-transcript>');
  });
});

describe('fitProse', () => {
  const list = (name: string, count: number) =>
    `## ${name}\n${Array.from({ length: count }, (_, index) => `- ${name} line ${index} with some words`).join('\n')}`;
  const prose = [
    '## Goal\nThe goal.',
    '## Constraints and preferences\n"Never push."',
    list('Done', 40),
    list('Files', 40),
    list('Critical data', 5),
  ].join('\n\n');

  it('leaves a text that fits as it is', () => {
    expect(fitProse(prose, 100_000)).toBe(prose);
  });

  it.each([700, 400, 150, 80])('gives up whole lines, files and old work first, for %i tokens', (tokens) => {
    const fitted = fitProse(prose, tokens);
    expect(estimateTokens(fitted)).toBeLessThanOrEqual(tokens);
    for (const wanted of ['The goal.', '"Never push."', 'Done line 39']) expect(fitted).toContain(wanted);
    for (const line of fitted.split('\n').filter((each) => each.startsWith('- '))) expect(prose).toContain(line);
    if (tokens > 300) expect(fitted).toContain('Critical data line 0');
  });
});

describe('sections', () => {
  it('come apart and together again', () => {
    const text = 'before\n\n## Goal\na\n\n### 2. Done:\n1. b\n2. c';
    expect(splitSections(text).map(({ name }) => name)).toEqual(['', 'goal', 'done']);
    expect(joinSections(splitSections(text))).toBe(text);
  });
});

describe('groundConstraints', () => {
  it('F16: compares in scripts without spaces as well', () => {
    const text = '## Constraints and preferences\n- 不要推送到主分支\n- 用户要求必须删除所有的旧数据库备份文件';
    expect(groundConstraints(text, '请修复构建，不要推送到主分支。')).toMatchObject({ found: 1, invented: 1 });
  });

  it('reads a megabyte in one pass', () => {
    const text = `## Constraints and preferences\n${'- never push to main\n'.repeat(50_000)}`;
    expect(groundConstraints(text, text).invented).toBe(0);
  });
});

describe('sumUsage', () => {
  it.each([
    [[], undefined],
    [[undefined, null], undefined],
    [[{ input_tokens: 7, raw: 'x' }], { input_tokens: 7, raw: 'x' }],
    [[{ a: 1, d: { c: 2 } }, undefined, { a: 2, d: { c: 3, e: 1 }, s: 'tier' }], { a: 3, d: { c: 5, e: 1 }, s: 'tier' }],
    [[{ prompt_tokens: 1 }, { input_tokens: 2 }], { prompt_tokens: 1, input_tokens: 2 }],
    [[{ a: null }, { a: 2 }], { a: 2 }],
  ])('%j', (usages, sum) => {
    expect(sumUsage(usages)).toEqual(sum);
  });
});

describe('composeSummaryPrompt', () => {
  it('frames what is data, within the tokens it says', () => {
    const { system, user } = composeSummaryPrompt({ instructions: 'I', text: 'T', previousSummary: 'P' });
    expect(system).toBe('I');
    expect(user).toMatch(/^<ullage-previous-summary>\nP\n<\/ullage-previous-summary>\n\nT\n\n/);
    expect(estimateTokens(user)).toBeLessThanOrEqual(PROMPT_FRAME_TOKENS);
  });
});
