// Who writes summaries, as --summarizer says: nobody, the model of the request at hand on its own account, or a model with a key of its own.
import { anthropicCompactSummarizer, createModelSummarizer } from '../../../adapters/models/index.ts';
import { UllageError } from '../../../core/errors.ts';
import type { Api } from '../../../core/transcript/entry.ts';
import type { Summarizer } from '../../../ports/summarizer.ts';
import { joinPath } from '../upstream/base-url.ts';
import type { RequestScope, ScopedRequest } from './request-scope.ts';

const NONE = 'none';
const PROVIDER = 'provider';
const SAME = /^same(?::(.+))?$/s;
const BY_URL = /^(https?:\/\/[^#\s]+)#(\S+)$/;

/** The summary is written on the account of the request at hand. */
export function usesRequest(text: string): boolean {
  return SAME.test(text) || text === PROVIDER;
}

export interface SummarizerSource {
  readonly scope: RequestScope;
  /** For a model that is named by its URL. */
  readonly key?: string;
}

/** undefined for `none`. Throws option_invalid for what is none of the four. */
export function parseSummarizer(text: string, { scope, key }: SummarizerSource): Summarizer | undefined {
  if (text === NONE) return undefined;
  if (text === PROVIDER) return providerSummarizer(scope);
  const same = SAME.exec(text);
  if (same) return sameSummarizer(scope, same[1]);
  const named = BY_URL.exec(text);
  if (named) return byUrl(named[1]!, { model: named[2]!, key });
  throw new UllageError('option_invalid', `--summarizer ${JSON.stringify(text)}: expected none, same, same:MODEL, provider or URL#MODEL.`);
}

function byUrl(url: string, { model, key }: { readonly model: string; readonly key?: string }): Summarizer {
  const api: Api = /anthropic|\/messages$/.test(url) ? 'anthropic' : 'openai-chat';
  return createModelSummarizer({ api, url, model, apiKey: key });
}

/** Headers of a client that say on whose account it asks. */
const ACCOUNT_HEADERS = new Set([
  'authorization',
  'x-api-key',
  'api-key',
  'anthropic-version',
  'anthropic-beta',
  'openai-organization',
  'openai-project',
  'user-agent',
]);

/** Summarizers kept: one for each API, endpoint and model that was asked for. */
const MOST_KEPT = 50;

function sameSummarizer(scope: RequestScope, model: string | undefined): Summarizer {
  return scopedSummarizer(scope, {
    id: model === undefined ? 'same' : `same:${model}`,
    make: (given) => createModelSummarizer({ ...given, model: model ?? given.model }),
  });
}

/** Anthropic compacts what it has in its cache; requests in another API have the facts. */
function providerSummarizer(scope: RequestScope): Summarizer {
  const summarize = scopedSummarizer(scope, { id: PROVIDER, make: ({ api: _, ...given }) => anthropicCompactSummarizer(given) });
  const usesPrefix = () => ({ api: 'anthropic', model: modelOf(scope.current()), isOnly: true }) as const;
  return Object.defineProperties(summarize, { usesPrefix: { get: usesPrefix } });
}

interface ScopedModel {
  readonly id: string;
  readonly make: (given: {
    readonly api: Api;
    readonly url: string;
    readonly model: string;
    readonly headers: () => Record<string, string>;
  }) => Summarizer;
}

function scopedSummarizer(scope: RequestScope, { id: name, make }: ScopedModel): Summarizer {
  const kept = new Map<string, Summarizer>();
  const headers = () => Object.fromEntries((scope.current()?.headers ?? []).filter(([header]) => ACCOUNT_HEADERS.has(header)));
  const summarizerFor = (request: ScopedRequest): Summarizer => {
    const { api, upstream, path } = request;
    const model = modelOf(request);
    const url = `${upstream.origin}${joinPath(upstream, path.split('?', 1)[0]!)}`;
    const id = JSON.stringify([api, url, model]);
    const known = kept.get(id);
    if (known) return known;
    if (kept.size >= MOST_KEPT) kept.clear();
    const made = make({ api, url, model, headers });
    kept.set(id, made);
    return made;
  };
  const summarize: Summarizer = async (request) => {
    const current = scope.current();
    if (!current) throw new Error('No request is at hand on whose account a summary could be written.');
    return summarizerFor(current)({ ...request, signal: AbortSignal.any([request.signal, current.over]) });
  };
  const ofCurrent = (): Summarizer | undefined => {
    const current = scope.current();
    return current && summarizerFor(current);
  };
  return Object.defineProperties(summarize, {
    id: { value: name },
    hasCaller: { value: () => scope.current() !== undefined },
    windowTokens: { get: () => ofCurrent()?.windowTokens },
    maxOutputTokens: { get: () => ofCurrent()?.maxOutputTokens },
  });
}

function modelOf(request: ScopedRequest | undefined): string {
  if (request === undefined) return '';
  const { body } = request;
  const { model } = JSON.parse(new TextDecoder().decode(body)) as { readonly model?: unknown };
  return typeof model === 'string' ? model : '';
}
