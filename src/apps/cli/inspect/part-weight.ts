// What each part of each message weighs, and what to call it.
import { estimateMessage } from '../../../core/size/estimator.ts';
import type { CallPart, Entry, Part } from '../../../core/transcript/entry.ts';
import { isGenuineUser } from '../../../core/transcript/genuine.ts';
import { toSingleLine } from '../terminal/text-width.ts';

/** Where tokens go, in the order they are shown. */
export const KINDS = ['user text', 'assistant text', 'thinking', 'tool calls', 'tool results', 'media', 'other', 'structure'] as const;

export type Kind = (typeof KINDS)[number];

export interface PartWeight {
  readonly kind: Kind;
  /** Index of the entry. */
  readonly position: number;
  readonly part: Part | undefined;
  readonly tokens: number;
  /** The call a result answers, or the call itself. */
  readonly call?: CallPart;
}

/** Arguments that say best what a call is about. */
const SALIENT_KEYS = ['file_path', 'path', 'filePath', 'command', 'cmd', 'pattern', 'query', 'url', 'description', 'prompt'];
const LABEL_CHARS = 200;
const PARSED_CHARS = 65_536;

/** The weights of all parts; what a message weighs besides its parts is `structure`. Their sum is the sum of the entries' tokens. */
export function weighParts(entries: readonly Entry[]): PartWeight[] {
  const calls = new Map<string, CallPart>();
  return entries.flatMap((entry, position) => {
    const { message } = entry;
    const empty = estimateMessage({ ...message, parts: [] });
    const weights = message.parts.map((part): PartWeight => {
      if (part.kind === 'call') calls.set(part.id, part);
      const tokens = Math.max(0, estimateMessage({ ...message, parts: [part] }) - empty);
      const call = part.kind === 'call' ? part : part.kind === 'result' ? calls.get(part.callId) : undefined;
      return { kind: kindOf(entry, part), position, part, tokens, call };
    });
    return balance(weights, entry, position);
  });
}

/** Makes the weights add up to the entry's tokens: rounding goes into the structure. */
function balance(weights: readonly PartWeight[], entry: Entry, position: number): PartWeight[] {
  const sum = weights.reduce((total, weight) => total + weight.tokens, 0);
  const scale = sum > entry.tokens ? entry.tokens / sum : 1;
  const scaled = weights.map((weight) => ({ ...weight, tokens: Math.floor(weight.tokens * scale) }));
  const rest = entry.tokens - scaled.reduce((total, weight) => total + weight.tokens, 0);
  return [...scaled, { kind: 'structure', position, part: undefined, tokens: rest }];
}

function kindOf(entry: Entry, part: Part): Kind {
  if (part.kind === 'text') {
    if (entry.message.role === 'assistant') return 'assistant text';
    return isGenuineUser(entry) ? 'user text' : 'other';
  }
  if (part.kind === 'call') return 'tool calls';
  if (part.kind === 'result') return 'tool results';
  return part.kind === 'opaque' ? 'other' : part.kind;
}

/** A line that names a part: the tool and what it was called with, or how the text begins. */
export function labelOf(weight: PartWeight): string {
  const { part, call } = weight;
  if (part === undefined) return 'structure';
  if (part.kind === 'text' || part.kind === 'thinking') return toSingleLine(part.text.slice(0, LABEL_CHARS)) || part.kind;
  if (part.kind === 'media') return part.mediaKind;
  if (part.kind === 'opaque') return part.type;
  return call === undefined ? 'result of an unknown call' : callLabel(call);
}

/** `Read src/a.ts`. */
export function callLabel(call: CallPart): string {
  return toSingleLine(`${call.name} ${salientArgument(call.argumentsText)}`.slice(0, LABEL_CHARS));
}

function salientArgument(argumentsText: string): string {
  if (argumentsText.length > PARSED_CHARS) return argumentsText.slice(0, LABEL_CHARS);
  let value: unknown;
  try {
    value = JSON.parse(argumentsText);
  } catch {
    return argumentsText;
  }
  if (typeof value !== 'object' || value === null) return argumentsText;
  const members = new Map(Object.entries(value));
  const key = SALIENT_KEYS.find((name) => typeof members.get(name) === 'string');
  const first = key === undefined ? [...members.values()].find((member) => typeof member === 'string') : members.get(key);
  return String(first ?? '');
}
