// A caller's body → message heads. What a message is worth (fingerprint, tokens, ids) is worked out once; a memory copy of the last
// body's bytes saves the work for messages that came again. The copy decides nothing: it is compared byte for byte.

import type { RequestBody, RequestFacts, WireCodec } from '../core/codec.ts';
import { UllageError } from '../core/errors.ts';
import { estimateMessage, estimateTokens } from '../core/size/estimator.ts';
import { chainHash } from '../core/transcript/chain.ts';
import type { Entry, Message, Role } from '../core/transcript/entry.ts';
import { isGenuineUserMessage } from '../core/transcript/genuine.ts';
import { hasBoundThinking } from '../core/transcript/thinking.ts';
import type { Context } from './context.ts';

/** All that is kept of a message besides its bytes. */
export interface Head {
  readonly fingerprint: string;
  readonly chain: string;
  readonly role: Role;
  /** Uncalibrated estimate, tokens. */
  readonly tokens: number;
  readonly callIds: readonly string[];
  readonly resultIds: readonly string[];
  /** A call that names no tool: no API takes it. */
  readonly hasNamelessCall: boolean;
  readonly isGenuineUser: boolean;
  readonly hasBoundThinking: boolean;
  /** Stamp of an assistant's message; undefined until known. */
  viewId?: string;
}

export interface PreambleInfo {
  readonly digest: string;
  readonly tokens: number;
  readonly pieces: readonly { readonly name: string; readonly tokens: number }[];
}

export interface Intake {
  readonly body: RequestBody;
  readonly facts: RequestFacts;
  readonly preamble: PreambleInfo;
  /** One per message after the preamble's. */
  readonly heads: readonly Head[];
  /** Exact JSON text of each. */
  readonly raws: readonly string[];
  readonly chain: readonly string[];
  /** So many messages at the beginning are those of the session's last body. */
  readonly sharedCount: number;
  /** The caller's object, when it gave one. */
  readonly object?: Record<string, unknown>;
}

/** The memory copy of one session's last body. */
export interface LastBody {
  body?: RequestBody;
  heads: readonly Head[];
  raws: readonly string[];
  chain: readonly string[];
  /** The body's text around the messages after the preamble's; what it says is worked out once. */
  around: Around;
  preambleText: string;
  preamble?: PreambleInfo;
}

/** The preamble is a function of it. */
interface Around {
  readonly before: string;
  readonly behind: string;
}

export type BodyInput = string | Uint8Array | object;

export function emptyLastBody(): LastBody {
  return { heads: [], raws: [], chain: [], around: { before: '', behind: '' }, preambleText: '' };
}

/** Throws UllageError transcript_invalid for what is not a request of the API. */
export function takeIn(context: Context, input: BodyInput, last: LastBody): Intake {
  const text = bodyText(input);
  const body = context.codec.decodeBody(text, last.body);
  const spans = body.messages.slice(body.preambleCount);
  const raws = spans.map((span) => text.slice(span.start, span.end));
  const heads = new Array<Head>(raws.length);
  const chain = new Array<string>(raws.length);
  const shared = body.sharedCount - body.preambleCount;
  let isSame = true;
  let sharedCount = 0;
  for (let index = 0; index < raws.length; index++) {
    const raw = raws[index]!;
    const known = last.heads[index];
    const isKnown: boolean = isSame && known !== undefined && (index < shared || raw === last.raws[index]);
    const head: Head = isKnown ? known! : headOf(context, raw, chain[index - 1] ?? '');
    isSame &&= isKnown || head.chain === known?.chain;
    heads[index] = isKnown || head.chain !== known?.chain ? head : known;
    chain[index] = head.chain;
    if (isSame) sharedCount = index + 1;
  }
  const preamble = preambleOf(context, body, last);
  const facts = context.codec.requestFacts(body);
  Object.assign(last, { body, heads, raws, chain });
  const object = typeof input === 'object' && !(input instanceof Uint8Array) ? (input as Record<string, unknown>) : undefined;
  return { body, facts, preamble, heads, raws, chain, sharedCount, object };
}

function bodyText(input: BodyInput): string {
  if (typeof input === 'string') return input.isWellFormed() ? input : input.toWellFormed();
  if (input instanceof Uint8Array) return decodeUtf8(input);
  if (typeof input !== 'object' || input === null) {
    throw new UllageError(
      'transcript_invalid',
      `The body is ${input === null ? 'null' : typeof input}; pass an object, JSON text, or bytes.`,
    );
  }
  try {
    return JSON.stringify(input);
  } catch (cause) {
    throw new UllageError('transcript_invalid', 'The body cannot be written as JSON; pass plain data without cycles or BigInt.', { cause });
  }
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new UllageError('transcript_invalid', 'The body is not valid UTF-8; send JSON encoded as UTF-8.', { cause });
  }
}

function countMessage(context: Context, message: Message): number {
  const counter = context.options.counter;
  if (!counter) return estimateMessage(message);
  // The estimator prices media and overhead; an exact counter only replaces its estimate of the texts.
  const texts = message.parts.flatMap((part) =>
    part.kind === 'text' || part.kind === 'result' || part.kind === 'thinking'
      ? [part.text]
      : part.kind === 'call'
        ? [part.argumentsText]
        : [],
  );
  const estimated = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
  const exact = texts.reduce((sum, text) => sum + counter.count(text), 0);
  return Math.max(1, estimateMessage(message) - estimated + exact);
}

function headOf(context: Context, raw: string, previousChain: string): Head {
  const message = context.codec.decodeMessage(raw);
  const fingerprint = context.digest(context.codec.canonicalMessage(raw));
  return {
    fingerprint,
    chain: chainHash(previousChain, fingerprint, context.digest),
    role: message.role,
    tokens: countMessage(context, message),
    callIds: message.parts.flatMap((part) => (part.kind === 'call' ? [part.id] : [])),
    resultIds: message.parts.flatMap((part) => (part.kind === 'result' ? [part.callId] : [])),
    hasNamelessCall: message.parts.some((part) => part.kind === 'call' && part.name.trim() === ''),
    isGenuineUser: isGenuineUserMessage(message),
    hasBoundThinking: hasBoundThinking(message),
  };
}

function preambleOf(context: Context, body: RequestBody, last: LastBody): PreambleInfo {
  const around = aroundOf(body);
  const isSame = around.before === last.around.before && around.behind === last.around.behind;
  // Also when it is the same: a piece of an older body would keep all of it in memory.
  last.around = around;
  if (last.preamble && isSame) return last.preamble;
  const pieces = context.codec.preamble(body);
  const text = pieces.map((piece) => `${piece.name}\n${piece.text}`).join('\n');
  if (last.preamble && text === last.preambleText) return last.preamble;
  const count = (piece: string) => context.options.counter?.count(piece) ?? estimateTokens(piece);
  const counted = pieces.map((piece) => ({ name: piece.name, tokens: count(piece.text) }));
  const tokens = counted.reduce((sum, piece) => sum + piece.tokens, 0);
  const preamble = { digest: context.digest(text), tokens, pieces: counted };
  Object.assign(last, { preamble, preambleText: text });
  return preamble;
}

function aroundOf({ text, messages, preambleCount }: RequestBody): Around {
  const first = messages[preambleCount];
  const last = messages.at(-1);
  return first && last ? { before: text.slice(0, first.start), behind: text.slice(last.end) } : { before: text, behind: '' };
}

/** Entries for the planner; messages are decoded when they are looked at. */
export function entriesOf(codec: WireCodec, heads: readonly Head[], raws: readonly string[]): readonly Entry[] {
  return heads.map((head, position) => {
    let message: Message | undefined;
    return {
      position,
      fingerprint: head.fingerprint,
      chain: head.chain,
      tokens: head.tokens,
      viewId: head.viewId,
      get message() {
        message ??= codec.decodeMessage(raws[position]!);
        return message;
      },
    };
  });
}
