// What the engine needs of the wire formats, passed in: it knows no format itself.
import type { Answer, AnswerReader, FinishedRequest, SilentOverflow } from '../core/answer.ts';
import type { WireCodec } from '../core/codec.ts';
import type { ErrorClass, ErrorInput } from '../core/provider-error.ts';
import type { Api } from '../core/transcript/entry.ts';

export interface Wire {
  codecFor(api: Api): WireCodec;
  classifyError(input: ErrorInput): ErrorClass;
  /** A whole response, or a bare usage object. */
  readAnswer(api: Api, response: unknown): Answer;
  createAnswerReader(api: Api): AnswerReader;
  detectSilentOverflow(request: FinishedRequest): SilentOverflow | undefined;
  /** Messages of one API written as another's. */
  convertMessages(from: Api, to: Api, raws: readonly string[]): readonly string[];
}
