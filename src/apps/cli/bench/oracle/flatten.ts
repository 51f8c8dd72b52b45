// Messages → flat events.
import { estimateTokens } from '../../../../core/size/estimator.ts';
import type { Message, Part } from '../../../../core/transcript/entry.ts';
import type { EventKind, FlatEvent } from './event.ts';
import { genuineWords, isObservation } from './genuine.ts';
import { jsonValues } from './json-values.ts';

export interface FlattenOptions {
  /** Texts of the preamble: system prompt and tools. */
  readonly preamble: readonly string[];
  /** User messages behind an answer are what a tool gave back: agents whose protocol has no tool messages. */
  readonly isTextProtocol: boolean;
}

/** Events in order. Media, opaque parts and empty texts give none. */
export function flatten(messages: readonly Message[], options: FlattenOptions): readonly FlatEvent[] {
  const events: FlatEvent[] = options.preamble.filter((text) => text !== '').map((text) => eventOf('system', text, -1));
  let hasAnswer = false;
  messages.forEach((message, index) => {
    const isAnswered = hasAnswer && options.isTextProtocol;
    for (const part of message.parts) {
      const kind = kindOf(message, part, isAnswered);
      const text = readableText(part);
      if (kind !== undefined && text.trim() !== '') events.push(eventOf(kind, text, index));
    }
    hasAnswer ||= message.role === 'assistant';
  });
  return events;
}

function eventOf(kind: EventKind, text: string, message: number): FlatEvent {
  const tokens = estimateTokens(text);
  return kind === 'user' ? { kind, text, tokens, message, genuine: genuineWords(text) } : { kind, text, tokens, message };
}

function kindOf({ role }: Message, part: Part, isAnswered: boolean): EventKind | undefined {
  if (part.kind === 'result') return 'result';
  if (part.kind === 'call') return 'call';
  if (part.kind === 'thinking') return 'thinking';
  if (part.kind !== 'text') return undefined;
  if (role === 'assistant') return 'assistant';
  if (role === 'system') return 'system';
  return role === 'tool' || isAnswered || isObservation(part.text) ? 'result' : 'user';
}

/** What can be read in a part; of a call the values of its arguments. */
export function readableText(part: Part): string {
  if (part.kind === 'call') return jsonValues(part.argumentsText);
  return part.kind === 'text' || part.kind === 'thinking' || part.kind === 'result' ? part.text : '';
}
