// What a reader makes of a file: a request body of one of the three APIs, and what of the file did not go into it.
import type { Api } from '../../../core/transcript/entry.ts';

/** Formats that are read, in the words of `--format`. */
export const FORMATS = [
  'openai-chat',
  'openai-responses',
  'anthropic',
  'claude-code',
  'codex',
  'cline',
  'pi',
  'gemini-cli',
  'swe-agent',
  'chat-replay',
] as const;

export type Format = (typeof FORMATS)[number];

/** What is said of the summaries an agent wrote when it compacted by itself. */
export const OWN_SUMMARIES = "summaries of the agent's own compactions";

/** Something of the file that is not in the body, or was changed on the way. */
export interface Note {
  /** Plural words a person reads: `side-chain lines left out`. */
  readonly what: string;
  readonly count: number;
}

export interface Transcript {
  readonly format: Format;
  readonly api: Api;
  /** The system text, where the file holds one. It is in `bodyText` too. */
  readonly preamble?: string;
  /** A request body of `api`. Calls that never got a result stay as they are. */
  readonly bodyText: string;
  readonly model?: string;
  readonly notes: readonly Note[];
  /** Prompt tokens the provider reported for the newest request in the file. */
  readonly measuredTokens?: number;
  /** What the agent sends besides and does not write into its files: `system prompt and tools`. */
  readonly unseen?: string;
}

/** A JSON value whose members have not been looked at. */
export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value when it is a string, else undefined. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The objects of an array; nothing when it is not one. */
export function asObjects(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Sum of the numbers among the values; undefined when there is none. */
export function sumOfNumbers(...values: readonly unknown[]): number | undefined {
  const numbers = values.filter((value): value is number => typeof value === 'number');
  return numbers.length === 0 ? undefined : numbers.reduce((sum, value) => sum + value, 0);
}
