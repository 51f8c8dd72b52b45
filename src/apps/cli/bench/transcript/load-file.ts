// A transcript file for all measures: whole for the replay, and up to its agent's own first compaction for the others.
import { type Format, readTranscript, type Transcript } from '../../formats/index.ts';
import { beforeOwnCompaction } from './before-compaction.ts';
import { type BenchTranscript, benchTranscriptOf, type TranscriptText } from './bench-transcript.ts';

export interface LoadedFile {
  readonly name: string;
  readonly whole: Transcript;
  readonly transcript: BenchTranscript;
}

/** Throws transcript_invalid or format_unknown. */
export function loadFile({ name, text }: TranscriptText, format?: Format): LoadedFile {
  const whole = readTranscript({ name, text }, format);
  const own = beforeOwnCompaction(text);
  const early = own.length === text.length ? whole : readTranscript({ name, text: own }, format);
  return { name, whole, transcript: benchTranscriptOf(name, early) };
}
