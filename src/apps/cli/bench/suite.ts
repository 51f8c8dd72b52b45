// Runs all measures on a set of transcripts, one after the other. Plain data out; the same input gives the same data, times aside.
import path from 'node:path';
import type { EntryWorkCache } from '../../../core/plan/work.ts';
import { type FileResult, type Score, type Soundness, ULLAGE, ULLAGE_WITH_HANDLES } from './file-result.ts';
import { planReplay, type Replayed, replayWithEngine } from './measures/replay.ts';
import { budgetAt, type Exam, examsOf, gradeContext, inputAt, measureAt } from './measures/retention.ts';
import { planRounds, playRounds } from './measures/rounds.ts';
import { replayWithStrategy } from './measures/strategy-replay.ts';
import { checkCompacted, checkOtherApis, checkRepeats } from './measures/validity.ts';
import { BASELINES } from './strategies/baselines.ts';
import type { Strategy } from './strategies/strategy.ts';
import { ullageStrategy } from './strategies/ullage.ts';
import type { LoadedFile } from './transcript/load-file.ts';

export interface SuiteOptions {
  /** Shares of the prefix, above 0 and below 1. */
  readonly budgets: readonly number[];
  /** Strategies beside Ullage and the baselines. */
  readonly others?: readonly Strategy[];
  /** Of the cost replay. */
  readonly windowTokens: number;
  /** Milliseconds from any start: with it the speed of planning is measured. */
  readonly now?: () => number;
  readonly onProgress?: (label: string, done: number, total: number) => void;
}

/** Share at which speed is measured. */
const TIMED_SHARE = 0.25;
/** What is done with a file, in order. */
const STAGES = ['reading facts', 'retention', 'validity and repeats', 'five rounds', 'replay'] as const;
type Stage = (typeof STAGES)[number];

/** Of the window: a transcript that never gets there has nothing to replay. */
const REPLAY_FROM = 0.6;

export function strategiesOf(others: readonly Strategy[] = [], work?: EntryWorkCache): readonly Strategy[] {
  return [
    ullageStrategy({ name: ULLAGE, canOpenHandles: false, work }),
    ullageStrategy({ name: ULLAGE_WITH_HANDLES, canOpenHandles: true, work }),
    ...BASELINES,
    ...others,
  ];
}

export async function runSuite(files: readonly LoadedFile[], options: SuiteOptions): Promise<readonly FileResult[]> {
  const results: FileResult[] = [];
  for (const [index, file] of files.entries()) {
    const report = (what: Stage) =>
      options.onProgress?.(`${path.basename(file.name)}: ${what}`, index + STAGES.indexOf(what) / STAGES.length, files.length);
    try {
      results.push(await measureFile(file, options, report));
    } catch (error) {
      throw namingFile(file.name, error);
    }
  }
  return results;
}

/** A failure in the middle of a long run says where. */
function namingFile(name: string, error: unknown): unknown {
  if (error instanceof Error && !error.message.startsWith(name)) error.message = `${name}: ${error.message}`;
  return error;
}

async function measureFile(file: LoadedFile, options: SuiteOptions, report: (what: Stage) => void): Promise<FileResult> {
  const { transcript } = file;
  report('reading facts');
  const { exams, cuts, most } = examsOf(transcript);
  const strategies = strategiesOf(options.others, new WeakMap());
  report('retention');
  const scores = await scoreExams(exams, strategies, options);
  report('validity and repeats');
  const soundness = await checkSoundness(exams, scores, options);
  report('five rounds');
  const rounds = await roundsOf(file, strategies);
  report('replay');
  const replayed = await replaysOf(file, strategies, options.windowTokens);
  return {
    name: file.name,
    status: cuts === 0 ? 'too_short' : exams.length === 0 ? 'too_few_facts' : 'scored',
    tokens: transcript.preambleTokens + transcript.entries.reduce((sum, entry) => sum + entry.tokens, 0),
    events: transcript.events.length,
    cuts,
    scoredCuts: exams.length,
    mostFacts: most,
    scores,
    soundness,
    rounds,
    ...replayed,
    plannings: options.now === undefined ? [] : await timePlanning(exams, options.now),
  };
}

async function scoreExams(exams: readonly Exam[], strategies: readonly Strategy[], { budgets }: SuiteOptions): Promise<readonly Score[]> {
  const scores: Score[] = [];
  for (const exam of exams) {
    for (const budget of budgets) {
      for (const strategy of strategies) scores.push(await scoreAt(exam, strategy, budget));
    }
  }
  return scores;
}

async function scoreAt(exam: Exam, strategy: Strategy, budget: number): Promise<Score> {
  const { name, isUnaimed, isPeer } = strategy;
  const head = { strategy: name, isUnaimed, isPeer, budget, cut: exam.cut.at, prefixTokens: exam.prefixTokens };
  try {
    const { graded, compacted } = await measureAt(exam, strategy, budget);
    return { ...head, graded, brokenRules: checkCompacted(exam, compacted).added.map(({ rule }) => rule) };
  } catch (error) {
    if (isPeer !== true) throw error;
    const graded = gradeContext(exam, { compacted: { messages: [] }, budgetTokens: budgetAt(exam, budget) });
    return { ...head, graded, brokenRules: [], failure: error instanceof Error ? error.message : String(error) };
  }
}

async function checkSoundness(exams: readonly Exam[], scores: readonly Score[], { budgets }: SuiteOptions): Promise<Soundness> {
  const strategy = ullageStrategy({ name: ULLAGE, canOpenHandles: false });
  const own = scores.filter((score) => score.strategy === ULLAGE || score.strategy === ULLAGE_WITH_HANDLES);
  const checks = own.map((score) => score.brokenRules);
  const counts = { repeats: 0, unstable: 0, different: 0 };
  for (const exam of exams) {
    for (const share of budgets) {
      const checked = await checkOtherApis(exam, strategy, share);
      checks.push(...checked.map(({ api, added }) => added.map(({ rule }) => `${rule} (as ${api})`)));
      const compacted = await strategy.compact(inputAt(exam, budgetAt(exam, share)));
      const { isSame, isStable } = await checkRepeats(exam, strategy, { compacted, share });
      counts.repeats += 1;
      counts.unstable += isStable ? 0 : 1;
      counts.different += isSame ? 0 : 1;
    }
  }
  return {
    requests: checks.length,
    invalid: checks.filter((broken) => broken.length > 0).length,
    broken: checks.flat(),
    ...counts,
    deadHandles: own.reduce((sum, { graded }) => sum + graded.deadHandles, 0),
  };
}

/** What a store-fed strategy with handles does in five rounds is what it does without. Other projects are measured by what they keep. */
const isPlayed = ({ name, isPeer, isRetentionOnly }: Strategy): boolean =>
  name !== ULLAGE_WITH_HANDLES && isPeer !== true && isRetentionOnly !== true;

async function roundsOf({ transcript }: LoadedFile, strategies: readonly Strategy[]): Promise<FileResult['rounds']> {
  const plan = planRounds(transcript);
  if (plan === undefined) return [];
  const played: FileResult['rounds'][number][] = [];
  for (const strategy of strategies.filter(isPlayed)) played.push({ strategy: strategy.name, rounds: await playRounds(plan, strategy) });
  return played;
}

async function replaysOf(
  { name, whole }: LoadedFile,
  strategies: readonly Strategy[],
  windowTokens: number,
): Promise<Pick<FileResult, 'replays' | 'stored' | 'isOverWindow'>> {
  const plan = planReplay(name, whole, windowTokens);
  const engine = await replayWithEngine(plan, REPLAY_FROM);
  if (engine === undefined) return { replays: [], isOverWindow: plan.history.peakTokens > windowTokens };
  const replays: { strategy: string; replayed: Replayed }[] = [{ strategy: ULLAGE, replayed: engine }];
  for (const strategy of strategies.filter((own) => isPlayed(own) && own.name !== ULLAGE)) {
    replays.push({ strategy: strategy.name, replayed: await replayWithStrategy(plan, strategy, engine) });
  }
  return { replays, stored: engine.stored };
}

async function timePlanning(exams: readonly Exam[], now: () => number): Promise<FileResult['plannings']> {
  const plannings: FileResult['plannings'][number][] = [];
  const strategy = ullageStrategy({ name: ULLAGE, canOpenHandles: false });
  for (const exam of exams) {
    const budgetTokens = budgetAt(exam, TIMED_SHARE);
    const input = inputAt(exam, budgetTokens);
    const startedAtMs = now();
    const compacted = await strategy.compact(input);
    const ms = now() - startedAtMs;
    const { sizeTokens } = gradeContext(exam, { compacted, budgetTokens });
    plannings.push({ ms, savedTokens: exam.prefixTokens - sizeTokens, tokens: exam.prefixTokens });
  }
  return plannings;
}
