// A transcript file as a request that the engine can work on, whatever format it is in.
import type { RequestBody, WireCodec } from '../../../core/codec.ts';
import { UllageError } from '../../../core/errors.ts';
import { codecFor } from '../../../wire/index.ts';
import { readTranscript, type Transcript } from '../formats/index.ts';
import { parseFormat } from '../input/parse-format.ts';
import { MOST_BYTES, readText } from '../input/read-text.ts';
import { parseBytes } from '../terminal/numbers.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Flags of every command that reads a transcript. */
export interface InputFlags {
  readonly format?: string;
  readonly maxSize?: string;
}

export interface LoadedRequest {
  /** What messages call it: the path as it was given, or `standard input`. */
  readonly name: string;
  readonly transcript: Transcript;
  readonly codec: WireCodec;
  readonly body: RequestBody;
}

/** Throws option_invalid, transcript_invalid, format_unknown or input_too_large; nothing is written. */
export async function loadTranscript(
  file: string,
  flags: InputFlags,
  io: { readonly terminal: Terminal; readonly onProgress?: () => void },
): Promise<LoadedRequest> {
  const format = parseFormat(flags.format);
  const limitBytes = flags.maxSize === undefined ? undefined : parseBytes('--max-size', flags.maxSize, MOST_BYTES);
  const source = await readText(file, { stdin: io.terminal.stdin, limitBytes, onProgress: io.onProgress });
  const transcript = readTranscript(source, format);
  const codec = codecFor(transcript.api);
  const body = codec.decodeBody(transcript.bodyText);
  refuseForeignState(source.name, codec, body);
  return { name: source.name, transcript, codec, body };
}

/** A request that leans on what a server holds is not the whole conversation: there is nothing to measure or fold. */
function refuseForeignState(name: string, codec: WireCodec, body: RequestBody): void {
  const { serverState, providerCompaction } = codec.requestFacts(body);
  if (serverState !== undefined) {
    throw new UllageError(
      'transcript_invalid',
      `${name} leans on state that the provider holds (${serverState}): it is not the whole conversation.`,
      {
        hint: 'Pass the full history as messages or input items, without that member.',
      },
    );
  }
  if (providerCompaction !== undefined) {
    throw new UllageError(
      'transcript_invalid',
      `${name} asks the provider to compact (${providerCompaction}): Ullage stands back from such requests.`,
      {
        hint: 'Remove that member to compact it here.',
      },
    );
  }
}
