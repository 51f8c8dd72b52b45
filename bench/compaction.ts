// Deterministic compaction: milliseconds per 55,000 tokens on real transcripts, and how time per token grows with length.
// Run: npx tsx bench/compaction.ts   (real transcripts are looked for in ../shared/corpus)
import fs from 'node:fs';
import path from 'node:path';
import { readTranscript } from '../src/apps/cli/formats/index.ts';
import { planCompaction } from '../src/core/plan/planner.ts';
import { estimateMessage } from '../src/core/size/estimator.ts';
import type { Entry } from '../src/core/transcript/entry.ts';
import { codecFor } from '../src/wire/index.ts';
import { makeConversation } from '../test/support/conversation.ts';
import { median } from './median.ts';

const ROUNDS = 5;
const UNIT_TOKENS = 55_000;
const CORPUS = path.join(import.meta.dirname, '..', '..', 'shared', 'corpus');

function entriesOfBody(bodyText: string, api: Parameters<typeof codecFor>[0]): readonly Entry[] {
  const codec = codecFor(api);
  const body = codec.decodeBody(bodyText);
  return body.messages.slice(body.preambleCount).map((span, position) => {
    const message = codec.decodeMessage(bodyText.slice(span.start, span.end));
    const name = position.toString(16).padStart(64, '0');
    return { position, fingerprint: name, chain: name, message, tokens: estimateMessage(message) };
  });
}

function planMs(entries: readonly Entry[], share: number): { readonly ms: number; readonly tokens: number } {
  const tokens = entries.reduce((sum, entry) => sum + entry.tokens, 0);
  const budgetTokens = Math.floor(tokens * share);
  const input = {
    entries,
    currentTokens: tokens,
    budgetTokens,
    tailTokens: Math.min(25_000, Math.floor(budgetTokens / 4)),
    minGainTokens: 1,
    pins: [],
    pass: 1 as const,
    canOpenHandles: false,
    pruneShare: 0.6,
    refusedFolds: [],
  };
  const times = Array.from({ length: ROUNDS }, () => {
    const start = performance.now();
    planCompaction(input);
    return performance.now() - start;
  });
  return { ms: median(times), tokens };
}

function* corpusFiles(folder: string): Iterable<string> {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* corpusFiles(file);
    else if (entry.name !== 'README.md') yield file;
  }
}

function benchCorpus(): void {
  if (!fs.existsSync(CORPUS)) {
    console.log('no real transcripts beside the checkout: skipped');
    return;
  }
  const perUnit: number[] = [];
  for (const file of corpusFiles(CORPUS)) {
    const transcript = readTranscript({ name: path.basename(file), text: fs.readFileSync(file, 'utf8') });
    const entries = entriesOfBody(transcript.bodyText, transcript.api);
    const { ms, tokens } = planMs(entries, 0.25);
    if (tokens >= 10_000) perUnit.push((ms / tokens) * UNIT_TOKENS);
  }
  perUnit.sort((a, b) => a - b);
  console.log(
    `corpus, to 25 %: median ${median(perUnit).toFixed(1)} ms per 55,000 tokens (${perUnit.length} transcripts over 10,000 tokens, slowest ${perUnit.at(-1)?.toFixed(1)})`,
  );
}

function benchGrowth(): void {
  const small = growth(50_000);
  const large = growth(1_000_000);
  console.log(
    `synthetic: ${small.toFixed(3)} µs per token at 50,000 tokens, ${large.toFixed(3)} at 1,000,000; ratio ${(large / small).toFixed(2)}`,
  );
}

/** Microseconds per token for a conversation of about so many tokens. */
function growth(tokens: number): number {
  const conversation = makeConversation('openai-chat', 3);
  const grow = (turns: number) => {
    for (let turn = 0; turn < turns; turn++) conversation.grow({ steps: 4, resultWords: 300 });
    return entriesOfBody(JSON.stringify({ messages: conversation.messages }), 'openai-chat');
  };
  const sample = grow(10);
  const sampleTokens = sample.reduce((sum, entry) => sum + entry.tokens, 0);
  const measured = planMs(grow(Math.max(0, Math.round((tokens / sampleTokens - 1) * 10))), 0.25);
  return (measured.ms / measured.tokens) * 1_000;
}

benchCorpus();
benchGrowth();
