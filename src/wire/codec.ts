// The contract of the codecs lives in core, so that the engine can use it without knowing any wire format.
export type * from '../core/codec.ts';
