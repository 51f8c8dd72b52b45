// What the engine needs of the wire formats, passed in: it knows no format itself.
import type { WireCodec } from '../core/codec.ts';
import type { ErrorClass, ErrorInput } from '../core/provider-error.ts';
import type { Api } from '../core/transcript/entry.ts';

export interface Wire {
  codecFor(api: Api): WireCodec;
  classifyError(input: ErrorInput): ErrorClass;
  /** Messages of one API written as another's. */
  convertMessages(from: Api, to: Api, raws: readonly string[]): readonly string[];
}
