// Speed and error of the token estimator against exact o200k_base counts. Run: npx tsx bench/estimator.ts
import { readSamples } from '../scripts/estimator-samples.ts';
import { exactCounter } from '../src/adapters/tokenizer/index.ts';
import { estimateTokens } from '../src/core/size/estimator.ts';
import type { TokenCounter } from '../src/ports/token-counter.ts';
import { readSessions, type SessionTexts, splitSessions } from './estimator-corpus.ts';

const write = (line: string): void => void process.stdout.write(`${line}\n`);
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`.padStart(8);
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** The nearest-rank percentile. */
function percentile(numbers: readonly number[], rank: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(rank * sorted.length) - 1)] ?? Number.NaN;
}

interface SessionError {
  readonly name: string;
  readonly tokens: number;
  /** Estimate of the whole session against the exact count. */
  readonly raw: number;
  /** The same times exact / estimated of the first half: what one answer at the midpoint teaches. */
  readonly calibrated: number;
}

function sessionError({ name, texts }: SessionTexts, counter: TokenCounter): SessionError {
  const exact = texts.map((text) => counter.count(text));
  const estimated = texts.map(estimateTokens);
  const total = sum(exact);
  let middle = 0;
  for (let passed = 0; passed < total / 2; middle++) passed += exact[middle]!;
  const known = sum(exact.slice(0, middle));
  const factor = known / sum(estimated.slice(0, middle));
  return {
    name,
    tokens: total,
    raw: sum(estimated) / total - 1,
    calibrated: (factor * sum(estimated)) / total - 1,
  };
}

function reportSessions(title: string, sessions: readonly SessionTexts[], counter: TokenCounter): void {
  const errors = sessions.map((session) => sessionError(session, counter));
  const row = (name: string, tokens: string, [raw, calibrated]: readonly [number, number]) =>
    write(`${name.padEnd(52)}${tokens.padStart(10)} ${percent(raw)}    ${percent(calibrated)}`);
  write(`\n${title}: error of the whole session\n${' '.repeat(56)}tokens      raw  calibrated`);
  for (const error of errors) row(error.name, String(error.tokens), [error.raw, error.calibrated]);
  for (const rank of [0.5, 0.95]) {
    const at = (key: 'raw' | 'calibrated') =>
      percentile(
        errors.map((error) => Math.abs(error[key])),
        rank,
      );
    row(`p${100 * rank}`, '', [at('raw'), at('calibrated')]);
  }
}

function reportKinds(counter: TokenCounter): void {
  const kinds = new Map<string, { exact: number; estimated: number; errors: number[] }>();
  for (const { kind, text, isSeen } of readSamples()) {
    if (isSeen) continue;
    const row = kinds.get(kind) ?? { exact: 0, estimated: 0, errors: [] };
    const exact = counter.count(text);
    const estimated = estimateTokens(text);
    row.errors.push(Math.abs(estimated / exact - 1));
    kinds.set(kind, { exact: row.exact + exact, estimated: row.estimated + estimated, errors: row.errors });
  }
  write('\nUnseen pieces of about 600 characters      bias       p50       p95');
  for (const [kind, { exact, estimated, errors }] of kinds) {
    write(
      `${kind.padEnd(36)} ${percent(estimated / exact - 1)}  ${percent(percentile(errors, 0.5))}  ${percent(percentile(errors, 0.95))}`,
    );
  }
}

const RUN_CHARS = 1_000_000;

function worstCases(): Readonly<Record<string, string>> {
  let state = 1;
  const base64 = Array.from({ length: RUN_CHARS }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'[state >>> 26];
  }).join('');
  return {
    'one letter': 'a'.repeat(RUN_CHARS),
    spaces: ' '.repeat(RUN_CHARS),
    emoji: '😀'.repeat(RUN_CHARS / 2),
    base64,
    'lone surrogates': '\ud800'.repeat(RUN_CHARS),
    'Chinese without marks': '我们昨天把服务迁移'.repeat(RUN_CHARS / 9),
  };
}

/** Processor time, so that other work on the machine does not count. */
const milliseconds = (work: () => unknown): number => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

function reportSpeed(sessions: readonly SessionTexts[]): void {
  write(`\nFirst call, tables built: ${milliseconds(() => estimateTokens('x')).toFixed(0)} ms of processor time`);
  const texts = sessions.flatMap((session) => session.texts);
  const megabytes = sum(texts.map((text) => Buffer.byteLength(text))) / 1e6;
  const rounds = Array.from({ length: 7 }, () => milliseconds(() => texts.forEach(estimateTokens)));
  write(`Corpus, ${megabytes.toFixed(1)} MB: ${(megabytes / (Math.min(...rounds) / 1000)).toFixed(0)} MB/s (best of ${rounds.length})`);
  for (const [name, text] of Object.entries(worstCases())) {
    const best = Math.min(...Array.from({ length: 3 }, () => milliseconds(() => estimateTokens(text))));
    write(`${name.padEnd(24)} ${RUN_CHARS / 1e6} M characters: ${best.toFixed(1).padStart(6)} ms, ${estimateTokens(text)} tokens`);
  }
}

const sessions = readSessions();
if (sessions.length === 0) write('The corpus is not there (../shared/corpus): speed of made-up texts only.');
const counter = await exactCounter();
reportSpeed(sessions);
if (sessions.length > 0) {
  const { seen, unseen } = splitSessions(sessions);
  reportSessions('Transcripts the weights never saw', unseen, counter);
  reportSessions('Transcripts the weights learnt from', seen, counter);
  reportKinds(counter);
}
