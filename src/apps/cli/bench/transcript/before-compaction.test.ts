import { describe, expect, test } from 'vitest';
import { beforeOwnCompaction } from './before-compaction.ts';

const answer = '{"type":"assistant","message":{"role":"assistant","content":"x"}}';
const summary = '{"type":"user","isCompactSummary":true,"message":{"role":"user","content":"s"}}';

describe('the part before an agent’s own compaction', () => {
  test.each([
    ['Claude Code', summary],
    ['Claude Code, boundary', '{"type":"system","subtype":"compact_boundary"}'],
    ['Pi', '{"type":"compaction","summary":"s"}'],
    ['Codex', '{"type":"compacted","payload":{}}'],
  ])('%s', (_, line) => {
    expect(beforeOwnCompaction(`${answer}\n${line}\n${answer}\n`)).toBe(`${answer}\n`);
  });

  test('a summary that the file begins with is none of its own', () => {
    const text = `${summary}\n${answer}\n`;
    expect(beforeOwnCompaction(text)).toBe(text);
  });

  test('the words alone, inside a message, are nothing', () => {
    const text = `${answer}\n{"type":"user","message":{"content":"\\"isCompactSummary\\":true \\"compaction\\""}}\n${answer}`;
    expect(beforeOwnCompaction(text)).toBe(text);
  });
});
