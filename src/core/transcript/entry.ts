// The neutral shape of a conversation: messages, their parts, and entries (stored messages with an identity).
// Knows nothing of a provider's JSON; `wire` decodes into these types and edits raw bytes by them.

/** The three request formats that are read and written. */
export type Api = 'anthropic' | 'openai-chat' | 'openai-responses';

export const APIS: readonly Api[] = ['anthropic', 'openai-chat', 'openai-responses'];

/** Who a message is from. `tool` is a message that carries only results; `system` stands mid-conversation or in the preamble. */
export type Role = 'user' | 'assistant' | 'tool' | 'system';

/** Plain text. */
export interface TextPart {
  readonly kind: 'text';
  readonly text: string;
}

/** Reasoning that is replayed to the provider. */
export interface ThinkingPart {
  readonly kind: 'thinking';
  /** Readable reasoning; empty when the provider only sends an opaque form. */
  readonly text: string;
  /** True when the provider binds the block to the bytes before it (Anthropic signatures): drop it when they change. */
  readonly isBound: boolean;
  /** Estimated characters that go on the wire for the opaque form (signature, encrypted content). */
  readonly opaqueChars: number;
}

/** A tool call. */
export interface CallPart {
  readonly kind: 'call';
  /** The id that its result names, trimmed of white space. */
  readonly id: string;
  readonly name: string;
  /** The arguments as JSON text (or whatever text the model wrote where it is not JSON). */
  readonly argumentsText: string;
  /** The format's own type of the call where its result must be of a matching type (e.g. custom_tool_call); undefined = the ordinary one. */
  readonly wireType?: string;
}

/** The result of a tool call. */
export interface ResultPart {
  readonly kind: 'result';
  /** The id of the call it answers, trimmed of white space. */
  readonly callId: string;
  readonly text: string;
  /** True, false, or undefined when the format does not say. */
  readonly isError?: boolean;
  /** Images and files inside the result. */
  readonly media: readonly MediaPart[];
}

/** An image, file or sound. Its base64 never counts as text. */
export interface MediaPart {
  readonly kind: 'media';
  readonly mediaKind: 'image' | 'file' | 'audio';
  /** Bytes it takes in the request body. */
  readonly sizeBytes: number;
  /** Pixel size where the header of the data tells it. */
  readonly widthPx?: number;
  readonly heightPx?: number;
}

/** Anything a provider sends that must be carried whole and in place (compaction items, server tool calls, item references). */
export interface OpaquePart {
  readonly kind: 'opaque';
  readonly type: string;
  readonly sizeChars: number;
}

export type Part = TextPart | ThinkingPart | CallPart | ResultPart | MediaPart | OpaquePart;

/** One message of a request, decoded. `raw` is the exact JSON text it came as. */
export interface Message {
  readonly role: Role;
  readonly parts: readonly Part[];
  readonly raw: string;
}

/** One stored message of the append-only transcript. */
export interface Entry {
  /** Index in the chain, from 0 (the preamble is not part of the chain). */
  readonly position: number;
  /** SHA-256 (hex) of the message's canonical form. */
  readonly fingerprint: string;
  /** SHA-256 (hex) of previous chain hash and fingerprint: names the entry and everything before it. */
  readonly chain: string;
  readonly message: Message;
  /** Uncalibrated estimate of the whole message as sent, tokens. */
  readonly tokens: number;
  /** The view under which this entry (an assistant's) was produced; '' = before any fold or prune; undefined = unknown. */
  readonly viewId?: string;
}

/** A short stable name of a stored entry (`e_…`), or of one of its parts (`e_….3`). */
export function entryHandle(chain: string, part?: number): string {
  const name = `e_${chain.slice(0, 12)}`;
  return part === undefined ? name : `${name}.${part}`;
}

/** A short stable name of a fold. */
export function foldHandle(viewId: string): string {
  return `f_${viewId}`;
}
