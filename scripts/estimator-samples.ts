// Texts the estimator is fitted to and measured on: corpus messages, package files, other languages, made-up data. The same ones every time.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSessions, splitSessions } from '../bench/estimator-corpus.ts';
import { madeUpTexts } from './estimator-made-up.ts';
import { PROSE } from './estimator-prose.ts';

/** One piece of text of a kind. */
export interface Sample {
  readonly kind: string;
  readonly text: string;
  /** True when the weights may learn from it. */
  readonly isSeen: boolean;
}

const PIECE_CHARS = 600;
/** A piece is cut at a line end near its limit, so that few words are. */
const CUT_SLACK_CHARS = 80;

function cutPieces(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const limit = start + PIECE_CHARS;
    const lineEnd = text.indexOf('\n', limit - CUT_SLACK_CHARS) + 1;
    const end = lineEnd > 0 && lineEnd < limit + CUT_SLACK_CHARS ? lineEnd : limit;
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces.filter((piece) => piece.trim().length > 20);
}

const samplesOf = (kind: string, text: string, isSeen: boolean): readonly Sample[] =>
  cutPieces(text).map((piece) => ({ kind, text: piece, isSeen }));

function corpusSamples(): readonly Sample[] {
  const { seen, unseen } = splitSessions(readSessions());
  const of = (sessions: typeof seen, isSeen: boolean) =>
    sessions.flatMap(({ texts }) => texts.flatMap((text) => samplesOf('corpus', text, isSeen)));
  return [...of(seen, true), ...of(unseen, false)];
}

const MODULES = join(import.meta.dirname, '..', 'node_modules');

function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? listFiles(path) : entry.isFile() ? [path] : [];
    });
}

const FILE_KINDS: readonly (readonly [string, RegExp])[] = [
  ['markdown', /\.md$/],
  ['javascript', /\.[mc]?js$/],
  ['typescript', /\.ts$/],
  ['json', /\.json$/],
];
const FILES_PER_KIND = 200;
const FILE_CHARS = 6_000;
/** Lines this long are written by a machine. */
const MINIFIED_LINE_CHARS = 2_000;

function packageSamples(): readonly Sample[] {
  const files = listFiles(MODULES).filter((path) => !/diagnosticMessages|gpt-tokenizer|\.package-lock/.test(path));
  return FILE_KINDS.flatMap(([kind, pattern]) => {
    const matching = files.filter((path) => pattern.test(path));
    const step = Math.max(1, Math.floor(matching.length / FILES_PER_KIND));
    return matching.flatMap((path, index) => {
      if (index % step !== 0) return [];
      const text = readFileSync(path, 'utf8');
      const isMinified = kind === 'javascript' && text.split('\n').some((line) => line.length > MINIFIED_LINE_CHARS);
      const start = text.length > FILE_CHARS ? Math.floor(text.length / 3) : 0;
      return samplesOf(isMinified ? 'minified' : kind, text.slice(start, start + FILE_CHARS), (index / step) % 2 === 0);
    });
  });
}

const LISTED_FILES = 240;
const LISTED_LINES = 12;

/** Files as an agent's tools print them: paths, numbered lines, matches with their place, traces. */
function listingSamples(): readonly Sample[] {
  const files = listFiles(MODULES).filter((path) => /\.([mc]?js|ts|md)$/.test(path) && !path.includes('gpt-tokenizer'));
  const step = Math.max(1, Math.floor(files.length / LISTED_FILES));
  return files.flatMap((path, index) => {
    if (index % step !== 0) return [];
    const place = path.slice(path.indexOf('node_modules'));
    const lines = readFileSync(path, 'utf8')
      .split('\n')
      .slice(20, 20 + LISTED_LINES)
      .map((line) => line.slice(0, 160));
    const paths = files.slice(index, index + LISTED_LINES).map((file) => `/home/dev/project/${file.slice(file.indexOf('node_modules'))}`);
    const forms = [
      paths.join('\n'),
      lines.map((line, at) => `${String(index + at).padStart(6)}\u2192${line}`).join('\n'),
      lines.map((line, at) => `${place}:${index + at}:${line}`).join('\n'),
      paths.map((file, at) => `    at ${place.split('/').at(-1)!.split('.')[0]} (${file}:${index + at}:${at + 7})`).join('\n'),
    ];
    return samplesOf('listing', forms[(index / step) % forms.length]!, Math.floor(index / step / forms.length) % 2 === 0);
  });
}

/** Languages of the TypeScript compiler's messages. */
const MESSAGE_LANGUAGES = ['zh-cn', 'zh-tw', 'ja', 'ko', 'ru', 'es', 'de', 'fr', 'it', 'pl', 'pt-br', 'tr', 'cs'];
const MESSAGE_CHARS = 25_000;

function languageSamples(): readonly Sample[] {
  const messages = MESSAGE_LANGUAGES.flatMap((language) => {
    const file = join(MODULES, 'typescript', 'lib', language, 'diagnosticMessages.generated.json');
    const all = Object.values(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>);
    const of = (remainder: number) =>
      all
        .filter((_, index) => index % 8 === remainder)
        .join('\n')
        .slice(0, MESSAGE_CHARS);
    return [...samplesOf(language, of(0), true), ...samplesOf(language, of(4), false)];
  });
  const prose = Object.entries(PROSE).flatMap(([language, [learnt, measured]]) => [
    ...samplesOf(`prose ${language}`, learnt, true),
    ...samplesOf(`prose ${language}`, measured, false),
  ]);
  return [...messages, ...prose];
}

/** All samples, in a fixed order. Reads ../shared/corpus and node_modules. */
export function readSamples(): readonly Sample[] {
  const made = madeUpTexts().flatMap(({ kind, texts }) => texts.flatMap((text, index) => samplesOf(kind, text, index % 2 === 0)));
  return [...corpusSamples(), ...packageSamples(), ...listingSamples(), ...languageSamples(), ...made];
}
