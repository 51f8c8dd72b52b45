// The contract of the three codecs. Pure: text in, data out; no message is re-serialised unless it is edited.
import type { PartEdit } from './plan/edit.ts';
import type { Usage } from './size/size.ts';
import type { Api, Message } from './transcript/entry.ts';

/** Where something stands in the body text: [start, end). */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A request body cut into pieces, nothing parsed that need not be. */
export interface RequestBody {
  readonly api: Api;
  readonly text: string;
  /** Each message (or input item) of the request, its exact place in `text`. */
  readonly messages: readonly Span[];
  /** How many of `messages` at the front belong to the preamble (leading system and developer messages). */
  readonly preambleCount: number;
  /** The array's own place, brackets included. For a Responses `input` that is a plain string: the string's place, and `messages` is that span. */
  readonly messagesSpan: Span;
  /** All other top-level members by key: the place of each value. */
  readonly members: ReadonlyMap<string, Span>;
  /** How many of `messages` at the front are, byte for byte and place for place, those of the body it was compared with. */
  readonly sharedCount: number;
}

/** What of the request outside its messages matters here. */
export interface RequestFacts {
  readonly model?: string;
  /** Output tokens the request asks for. */
  readonly maxOutputTokens?: number;
  readonly isStream: boolean;
  /** The request asks the model to reason before it answers: it may be silent for minutes. */
  readonly isReasoning?: true;
  /** Names of the declared tools. */
  readonly toolNames: readonly string[];
  /** Set when the request leans on state the server holds (previous_response_id, conversation, thread): it is passed through uncompacted. */
  readonly serverState?: string;
  /** Set when the request asks the provider to compact (context_management compaction, compaction summarize): we stand back. */
  readonly providerCompaction?: string;
}

/** One named text of the preamble, for the floor: 'system', 'tool read_file', … */
export interface PreamblePiece {
  readonly name: string;
  /** The JSON text or plain text that is counted. */
  readonly text: string;
}

/** One broken rule of the API, in words like the provider's own. */
export interface Violation {
  /** A stable name of the rule, e.g. 'anthropic/tool-result-missing'. */
  readonly rule: string;
  /** e.g. messages.3.content.0 */
  readonly path: string;
  readonly message: string;
}

/** The text that answers one call. */
export interface ResultText {
  readonly callId: string;
  readonly text: string;
  readonly isError: boolean;
  /** `CallPart.wireType` of the call: some formats answer each type of call with its own type of result. */
  readonly wireType?: string;
}

export interface WireCodec {
  readonly api: Api;
  /** Cuts a body. Throws UllageError transcript_invalid with the place for anything that is not this API's request. */
  decodeBody(text: string, previous?: RequestBody): RequestBody;
  requestFacts(body: RequestBody): RequestFacts;
  /** The preamble's pieces in order; their joined text is what is digested and estimated. */
  preamble(body: RequestBody): readonly PreamblePiece[];
  /** One message's JSON text → parts. Tolerant: unknown blocks become opaque parts. Throws transcript_invalid when it is not an object of this API. */
  decodeMessage(raw: string): Message;
  /** Canonical form for the fingerprint (ARCHITECTURE, Identity). */
  canonicalMessage(raw: string): string;
  /** Applies edits; bytes outside the edited places survive. Returns '' when nothing sendable is left (the entry is then omitted). */
  editMessage(raw: string, edits: readonly PartEdit[]): string;
  /** The message without its cache markers. */
  withoutMarkers(raw: string): string;
  /** `raw`, sent in place of the message `own`, with a cache marker exactly when `own` has one (and a block of `raw` can carry it). */
  withMarkersOf(raw: string, own: string): string;
  /** A user-role message with one text, or with a text block for each of several. */
  encodeUserMessage(text: string, ...more: readonly string[]): string;
  /** A result for a call that never got one. `raw` texts of one or more messages. `wireType` is that of the call. */
  encodeResults(results: readonly ResultText[]): readonly string[];
  /** The body with its messages (without the preamble messages, which stay) replaced by these raw texts. Equal texts in → equal bytes out. */
  spliceMessages(body: RequestBody, messages: readonly string[]): string;
  /**
   * The body with every number that asks for more output lowered to `tokens`, and a reasoning budget that would no longer fit lowered with it.
   * undefined when it names no larger number, or a reasoning budget that cannot be that small.
   */
  lowerOutput(body: RequestBody, tokens: number): string | undefined;
  /** Every rule of the API the body breaks; empty = valid. Never throws. */
  validate(bodyText: string): readonly Violation[];
  /** The API's usage object (or a whole response that holds one) → disjoint classes. Never throws; unknown shapes give {raw}. */
  usage(usage: unknown): Usage;
}
