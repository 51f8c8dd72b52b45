// Finds the format of a text by its content and reads it.
import { UllageError } from '../../../core/errors.ts';
import { chatReplayReader } from './chat-replay.ts';
import { claudeCodeReader } from './claude-code.ts';
import { clineReader } from './cline.ts';
import { codexReader } from './codex.ts';
import { type Document, parseDocument } from './document.ts';
import { geminiCliReader } from './gemini-cli.ts';
import { piReader } from './pi.ts';
import type { FormatReader } from './reader.ts';
import { anthropicReader, chatReader, responsesReader } from './request-body.ts';
import { sweAgentReader } from './swe-agent.ts';
import { FORMATS, type Format, isObject, type Transcript } from './transcript.ts';

export { FORMATS, type Format, type Note, OWN_SUMMARIES, type Transcript } from './transcript.ts';

/** The particular ones first: a bare body is what is left. */
const READERS: readonly FormatReader[] = [
  sweAgentReader,
  chatReplayReader,
  clineReader,
  codexReader,
  piReader,
  claudeCodeReader,
  geminiCliReader,
  responsesReader,
  anthropicReader,
  chatReader,
];

/** Keys that are named for a JSON object of no known format. */
const NAMED_KEYS = 6;

export interface TranscriptSource {
  /** What messages call it: a file name. */
  readonly name: string;
  readonly text: string;
}

/**
 * Reads a transcript. Without `format` the content decides, never the name.
 * Throws format_unknown for what is none of the formats, transcript_invalid with the line for what is damaged.
 */
export function readTranscript(source: TranscriptSource, format?: Format): Transcript {
  const document = parseDocument(source.name, source.text);
  if (format === undefined) {
    const reader = READERS.find((candidate) => candidate.recognises(document));
    if (reader === undefined) throw unknownFormat(document);
    return reader.read(document);
  }
  const reader = READERS.find((candidate) => candidate.format === format);
  if (reader === undefined) throw new UllageError('option_invalid', `--format ${format}: expected one of ${FORMATS.join(', ')}.`);
  return reader.read(document);
}

function unknownFormat(document: Document): UllageError {
  const line = document.lines[0]?.number ?? 1;
  return new UllageError(
    'format_unknown',
    `${document.name}, line ${line}: ${describe(document)} is none of the known formats (${FORMATS.join(', ')}).`,
    { details: { line } },
  );
}

function describe(document: Document): string {
  const sample = document.lines[0]?.value ?? document.value;
  if (!isObject(sample)) return Array.isArray(sample) && sample.length === 0 ? 'an empty array' : 'an array without messages';
  const keys = Object.keys(sample);
  if (keys.length === 0) return 'an object without members';
  const named = keys.slice(0, NAMED_KEYS).map((key) => JSON.stringify(key.slice(0, 40)));
  return `an object with ${named.join(', ')}${keys.length > NAMED_KEYS ? ', …' : ''}`;
}
