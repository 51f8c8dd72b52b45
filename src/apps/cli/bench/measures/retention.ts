// Fact retention: what was needed later, and is still there after a compaction at the cut.
import type { WireCodec } from '../../../../core/codec.ts';
import { codecFor } from '../../../../wire/index.ts';
import type { Cut } from '../oracle/cut.ts';
import { deriveCut, LEAST_FACTS } from '../oracle/cut.ts';
import { cutsOf } from '../oracle/cuts.ts';
import { readableText } from '../oracle/flatten.ts';
import { type Grades, grade } from '../oracle/grade.ts';
import { readEvents } from '../oracle/reading.ts';
import type { Compacted, Strategy, StrategyInput } from '../strategies/strategy.ts';
import { type BenchTranscript, firstAskOf } from '../transcript/bench-transcript.ts';
import { tokensOfRaws } from '../transcript/entries.ts';

/** A cut with what is asked there, and what every context made of its prefix starts from. */
export interface Exam {
  readonly transcript: BenchTranscript;
  readonly cut: Cut;
  /** Tokens of the prefix as it would be sent, preamble included. */
  readonly prefixTokens: number;
  /** Of them, preamble and first genuine user message. */
  readonly pinnedTokens: number;
  readonly firstAsk?: number;
}

/** The cuts of a transcript at which enough was needed again. `most` is the largest number of needed facts at any cut, scored or not. */
export function examsOf(transcript: BenchTranscript): { readonly exams: readonly Exam[]; readonly cuts: number; readonly most: number } {
  const { events } = transcript;
  const reading = readEvents(events);
  const cuts = cutsOf(events).map((at) => deriveCut(events, reading, at));
  const exams = cuts.filter(({ facts }) => facts.length >= LEAST_FACTS).map((cut) => examAt(transcript, cut));
  return { exams, cuts: cuts.length, most: cuts.reduce((most, { facts }) => Math.max(most, facts.length), 0) };
}

function examAt(transcript: BenchTranscript, cut: Cut): Exam {
  const { entries, preambleTokens } = transcript;
  const messageTokens = entries.slice(0, cut.messages).reduce((sum, entry) => sum + entry.tokens, 0);
  const ask = firstAskOf(transcript);
  const firstAsk = ask !== undefined && ask < cut.messages ? ask : undefined;
  const askTokens = firstAsk === undefined ? 0 : entries[firstAsk]!.tokens;
  return { transcript, cut, firstAsk, prefixTokens: preambleTokens + messageTokens, pinnedTokens: preambleTokens + askTokens };
}

/** The budget of a share: pinned plus that share of the rest. Whole request, tokens. */
export function budgetAt({ prefixTokens, pinnedTokens }: Exam, share: number): number {
  return Math.floor(share * (prefixTokens - pinnedTokens) + pinnedTokens);
}

/** What a strategy is given at a cut. */
export function inputAt(exam: Exam, budgetTokens: number): StrategyInput {
  const { transcript, cut, firstAsk } = exam;
  return {
    codec: transcript.codec,
    entries: transcript.entries.slice(0, cut.messages),
    budgetTokens: Math.max(0, budgetTokens - transcript.preambleTokens),
    firstAsk,
  };
}

/** One context, graded. */
export interface Graded {
  readonly grades: Grades;
  readonly budgetTokens: number;
  readonly sizeTokens: number;
  readonly isOverBudget: boolean;
  readonly deadHandles: number;
}

export function gradeContext(exam: Exam, made: { readonly compacted: Compacted; readonly budgetTokens: number }): Graded {
  const { compacted, budgetTokens } = made;
  const { preambleTexts, preambleTokens, codec: own } = exam.transcript;
  const codec = compacted.api === undefined ? own : codecFor(compacted.api);
  const sizeTokens = preambleTokens + tokensOfRaws(codec, compacted.messages);
  const text = contextText(codec, preambleTexts, compacted.messages);
  return {
    grades: grade(exam.cut, text, compacted.behindHandles),
    budgetTokens,
    sizeTokens,
    isOverBudget: sizeTokens > budgetTokens,
    deadHandles: compacted.deadHandles ?? 0,
  };
}

/** Everything that can be read in a request. */
export function contextText(codec: WireCodec, preambleTexts: readonly string[], raws: readonly string[]): string {
  const parts = raws.flatMap((raw) => codec.decodeMessage(raw).parts.map(readableText));
  return [...preambleTexts, ...parts].filter((text) => text !== '').join('\n');
}

const askedAt = ({ cut }: Exam): readonly string[] => [...cut.facts, ...cut.tokenFacts].map(({ text }) => text);

/** One strategy at one cut and budget. */
export async function measureAt(
  exam: Exam,
  strategy: Strategy,
  share: number,
): Promise<{ readonly graded: Graded; readonly compacted: Compacted }> {
  const budgetTokens = budgetAt(exam, share);
  const input = inputAt(exam, budgetTokens);
  const compacted = await strategy.compact(strategy.hasHindsight ? { ...input, hindsight: askedAt(exam) } : input);
  return { compacted, graded: gradeContext(exam, { compacted, budgetTokens }) };
}
