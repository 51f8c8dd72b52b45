// Summaries that were written down, beside the facts: at equal size, honest about their session, and accepted as a model's would be.
import { describe, expect, it } from 'vitest';
import { languageTranscripts } from '../../bench/quality/languages/transcripts.ts';
import { spanishSummaries } from '../../bench/quality/summaries/spanish.ts';
import { examsOf, measureAt } from '../../src/apps/cli/bench/measures/retention.ts';
import { recordedStrategy, recordedSummary } from '../../src/apps/cli/bench/strategies/recorded.ts';
import { ullageStrategy } from '../../src/apps/cli/bench/strategies/ullage.ts';
import { loadFile } from '../../src/apps/cli/bench/transcript/load-file.ts';
import { acceptSummary } from '../../src/core/summary/accept.ts';

const spanish = languageTranscripts().find(({ name }) => name.includes('spanish'))!;
const { transcript } = loadFile(spanish);
const strategy = recordedStrategy([spanishSummaries]);

describe('recorded summaries', () => {
  it('pass every check of a model’s summary, each for its own stretch', () => {
    const { entries } = transcript;
    const userText = entries.flatMap(({ message }) => (message.role === 'user' ? [message.raw] : [])).join('\n');
    for (const [index, { through }] of spanishSummaries.stretches.entries()) {
      const text = recordedSummary(spanishSummaries.stretches.slice(0, index + 1));
      const replacedTokens = entries.slice(0, through + 1).reduce((sum, entry) => sum + entry.tokens, 0);
      const accepted = acceptSummary({ text, finishReason: 'stop', replacedTokens, maxTokens: 4_000, userText, genuineText: userText });
      expect(accepted).toEqual({ ok: true, text });
    }
  });

  it('tell nothing that stands only behind their stretch', () => {
    for (const { through, data = [] } of spanishSummaries.stretches) {
      const before = transcript.entries
        .slice(0, through + 1)
        .map(({ message }) => message.raw)
        .join('\n');
      for (const name of data.flatMap((line) => line.match(/[\w-]+\.depot\.example|\w+_\w+|[A-Z]{3}\d{4}|\d{5}/g) ?? []))
        expect(before).toContain(name);
    }
  });

  it('are measured at the same size as the facts alone, and say something else', async () => {
    const { exams } = examsOf(transcript);
    expect(exams.length).toBeGreaterThan(0);
    const facts = ullageStrategy({ name: 'facts', canOpenHandles: false });
    let different = 0;
    for (const exam of exams) {
      const [own, plain] = [await measureAt(exam, strategy, 0.25), await measureAt(exam, facts, 0.25)];
      expect(own.graded.sizeTokens).toBeLessThanOrEqual(own.graded.budgetTokens);
      expect(Math.abs(own.graded.sizeTokens - plain.graded.sizeTokens)).toBeLessThan(plain.graded.sizeTokens * 0.1);
      if (own.compacted.messages.join() !== plain.compacted.messages.join()) different += 1;
    }
    expect(different).toBeGreaterThan(0);
  });
});
