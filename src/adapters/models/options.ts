// What a summarizer over HTTP is told, checked when it is made.
import type { Dispatcher } from 'undici';
import { UllageError } from '../../core/errors.ts';
import { findModel } from '../../core/size/models.ts';
import type { Api } from '../../core/transcript/entry.ts';

/** Options of `openaiSummarizer`, `openaiResponsesSummarizer` and `anthropicSummarizer`. */
export interface ModelSummarizerOptions {
  /** Base URL, such as `https://api.openai.com/v1` or `http://127.0.0.1:11434/v1`; a bare origin gets `/v1`. A whole endpoint is taken as it is. */
  readonly url: string;
  /** Name of the model, as the server knows it. */
  readonly model: string;
  /** Sent as a bearer token, to Anthropic as `x-api-key`. Default: none. */
  readonly apiKey?: string;
  /** Further headers, asked for at every call: a credential that is refreshed, or the one of the request at hand. */
  readonly headers?: () => Readonly<Record<string, string>>;
  /** Window of the model, tokens. Default: the built-in registry's, else 32,000. */
  readonly windowTokens?: number;
  /** Stable name under which cooling and costs are kept. Default: host#model. */
  readonly id?: string;
  /** How hard a reasoning model thinks; false = say nothing of it. Default: 'low' for models that are known to reason. */
  readonly effort?: 'minimal' | 'low' | 'medium' | 'high' | false;
  /**
   * Ask behind the request that was sent already, where its provider has it in its cache and that is safe; else with plain text, and the log says
   * why. Only for the very model and account that the requests go to. Default false.
   */
  readonly usesPrefix?: boolean;
  /** Longest wait for a connection, milliseconds. Default 10,000. */
  readonly connectTimeoutMs?: number;
  /** Longest silence before and between the events of an answer, milliseconds. Default 60,000. The engine's deadline ends a call sooner. */
  readonly idleTimeoutMs?: number;
  /** Largest answer that is read, bytes. Default 4,000,000. */
  readonly maxResponseBytes?: number;
  /** An undici dispatcher, such as a ProxyAgent. Default: one of its own. */
  readonly dispatcher?: Dispatcher;
}

export interface CheckedOptions extends ModelSummarizerOptions {
  readonly id: string;
  readonly connectTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly maxResponseBytes: number;
}

const DEFAULTS = { connectTimeoutMs: 10_000, idleTimeoutMs: 60_000, maxResponseBytes: 4_000_000 } as const;

/** Throws UllageError option_invalid. */
export function checkOptions(options: ModelSummarizerOptions): CheckedOptions {
  const url = parseUrl(options.url);
  if (typeof options.model !== 'string' || options.model === '') invalid('model', String(options.model), 'the name of a model');
  for (const name of ['windowTokens', 'connectTimeoutMs', 'idleTimeoutMs', 'maxResponseBytes'] as const) {
    const value = options[name];
    if (value !== undefined && !(Number.isFinite(value) && value > 0)) invalid(name, String(value), 'a positive number');
  }
  return { ...DEFAULTS, ...defined(options), id: options.id ?? `${url.host}#${options.model}` };
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url;
  // The text is not told: it may hold a credential.
  return invalid('url', 'not an address', 'an http or https address, such as https://api.openai.com/v1');
}

function invalid(option: string, value: string, limit: string): never {
  throw new UllageError('option_invalid', `Option ${option} of the summarizer is ${value}; it must be ${limit}.`, {
    details: { option, limit },
  });
}

function defined<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
}

const LAST_PART: Readonly<Record<Api, string>> = {
  'openai-chat': 'chat/completions',
  'openai-responses': 'responses',
  anthropic: 'messages',
};

/** Where an API's requests go under a base URL. */
export function endpointOf(api: Api, baseUrl: string): URL {
  const url = new URL(baseUrl);
  const last = LAST_PART[api];
  const path = url.pathname.replace(/\/+$/, '');
  const hasVersion = api === 'anthropic' ? /\/v\d+$/.test(path) : path !== '';
  if (!path.endsWith(`/${last}`)) url.pathname = `${path}${hasVersion ? '' : '/v1'}/${last}`;
  return url;
}

/** What is known of a model's reasoning and limits. */
export interface ModelTraits {
  /** It reasons, and can be told how hard. */
  readonly hasEffort: boolean;
  /** It takes `max_completion_tokens` only. */
  readonly isCompletionCapped: boolean;
  readonly windowTokens?: number;
  readonly maxOutputTokens?: number;
  /** Output tokens that it may spend on reasoning, beside the text. */
  readonly reasoningTokens: number;
}

/** At most this share of its window goes to reasoning. */
const REASONING_WINDOW_SHARE = 0.125;
const REASONING_TOKENS = 4_096;
/** A model that is told a length may miss it by so much before its answer is cut. */
const LENGTH_SLACK = 1.25;

/** Output tokens to ask for, so that a text of the told length is not cut. */
export function outputTokensFor(textTokens: number, { reasoningTokens }: ModelTraits): number {
  return Math.ceil(textTokens * LENGTH_SLACK) + reasoningTokens;
}

/** The longest text that such an output holds for certain. */
export function textTokensIn(outputTokens: number, { reasoningTokens }: ModelTraits): number {
  return Math.max(1, Math.floor((outputTokens - reasoningTokens) / LENGTH_SLACK));
}

const OPENAI_REASONING = /^(?:o[1-9](?![a-z])|gpt-[5-9](?!.*chat)|codex)/;
const ANTHROPIC_EFFORT = /claude.*(?:fable|mythos)|claude-(?:opus|sonnet|haiku)-[5-9](?!\d)/;

/** By the model's name; `windowTokens` as told, else the registry's. */
export function traitsOf(api: Api, model: string, told: { readonly windowTokens?: number } = {}): ModelTraits {
  const name = model.toLowerCase().split('/').at(-1) ?? '';
  const known = findModel(model);
  const isCompletionCapped = OPENAI_REASONING.test(name);
  const hasEffort = api === 'anthropic' ? ANTHROPIC_EFFORT.test(name) : isCompletionCapped || name.startsWith('gpt-oss');
  const windowTokens = told.windowTokens ?? known?.maxInputTokens ?? known?.window;
  const most = Math.min(REASONING_TOKENS, Math.floor((windowTokens ?? Number.POSITIVE_INFINITY) * REASONING_WINDOW_SHARE));
  const reasoningTokens = hasEffort ? most : 0;
  return { hasEffort, isCompletionCapped, windowTokens, maxOutputTokens: known?.maxOutputTokens, reasoningTokens };
}
