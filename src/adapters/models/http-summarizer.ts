// A summarizer over HTTP: composes the request, sends it, reads the stream, and changes what a server refuses, once for each option.
import { Agent } from 'undici';
import type { Usage } from '../../core/size/size.ts';
import { composeSummaryPrompt } from '../../core/summary/prompt.ts';
import type { Api } from '../../core/transcript/entry.ts';
import type { Summarizer, SummarizerRequest, SummarizerResult } from '../../ports/summarizer.ts';
import { readAnswer } from '../../wire/answer.ts';
import { createAnswerReader } from '../../wire/answer-stream.ts';
import { isObject, type JsonObject } from '../../wire/rules.ts';
import { finishWord } from './finish-reason.ts';
import { errorOf } from './model-call-error.ts';
import {
  type CheckedOptions,
  checkOptions,
  endpointOf,
  type ModelSummarizerOptions,
  outputTokensFor,
  textTokensIn,
  traitsOf,
} from './options.ts';
import { credentialsOf, type Post, placeOf, postForEvents } from './post-events.ts';
import { READ_EVENT, READ_WHOLE, type Said } from './read-text.ts';
import { BODY_OF, type BodyInput, bodyBehind, firstShape, type RequestShape, shapeAfter } from './request-shape.ts';

const MOST_CALLS = 4;
const ANTHROPIC_VERSION = '2023-06-01';

/** How a call is made and read, where it is no request for a message. */
export interface CallForm {
  /** It can be asked behind a request only. */
  readonly isPrefixOnly: boolean;
  readonly bodyOf: (request: SummarizerRequest, input: BodyInput) => object;
  readonly headersOf: (headers: Readonly<Record<string, string>>) => Readonly<Record<string, string>>;
  readonly readEvent: (event: JsonObject) => Said;
  readonly readWhole: (answer: JsonObject) => Said;
}

const messageForm = (api: Api): CallForm => ({
  isPrefixOnly: false,
  bodyOf: ({ prefix }, input) => (prefix ? bodyBehind(api, prefix.body, input) : BODY_OF[api](input)),
  headersOf: (headers) => headers,
  readEvent: READ_EVENT[api],
  readWhole: READ_WHOLE[api],
});

export function httpSummarizer(api: Api, given: ModelSummarizerOptions, form: CallForm = messageForm(api)): Summarizer {
  const options = checkOptions(given);
  const traits = traitsOf(api, options.model, options);
  const url = endpointOf(api, options.url);
  const dispatcher = options.dispatcher ?? new Agent({ connect: { timeout: options.connectTimeoutMs } });
  const { windowTokens, reasoningTokens } = traits;
  // What a server has refused once is not sent again.
  let known = firstShape(options, traits);
  const summarize = async (request: SummarizerRequest): Promise<SummarizerResult> => {
    const prompt = composeSummaryPrompt(request);
    const wantedTokens = outputTokensFor(request.maxOutputTokens, traits);
    const tried: RequestShape[] = [];
    let shape = known;
    for (;;) {
      tried.push(shape);
      const input: BodyInput = { model: options.model, prompt, shape, outputTokens: Math.min(wantedTokens, shape.mostOutputTokens) };
      const post: Post = {
        ...options,
        url,
        dispatcher,
        headers: form.headersOf(headersOf(api, options)),
        body: form.bodyOf(request, input),
        signal: request.signal,
      };
      try {
        return await readPost(api, form, post);
      } catch (error) {
        const next = tried.length < MOST_CALLS ? shapeAfter(error, input, tried) : undefined;
        if (next === undefined || request.signal.aborted) throw error;
        shape = next.shape;
        known = next.isForAll ? shape : { ...shape, mostOutputTokens: known.mostOutputTokens };
      }
    }
  };
  const names = {
    id: { value: options.id },
    ...(options.usesPrefix ? { usesPrefix: { value: { api, model: options.model, isOnly: form.isPrefixOnly } } } : {}),
    ...(windowTokens === undefined ? {} : { windowTokens: { value: windowTokens - reasoningTokens } }),
    maxOutputTokens: { get: () => textTokensIn(known.mostOutputTokens, traits) },
  };
  return Object.defineProperties(summarize, names);
}

/** Of the connection, not of the call: never taken from a caller's headers. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'content-type',
  'accept',
  'accept-encoding',
  'connection',
  'transfer-encoding',
]);

function headersOf(api: Api, { apiKey, headers }: CheckedOptions): Record<string, string> {
  const own: Record<string, string> = { 'content-type': 'application/json', accept: 'text/event-stream, application/json' };
  if (api === 'anthropic') own['anthropic-version'] = ANTHROPIC_VERSION;
  if (apiKey !== undefined) own[api === 'anthropic' ? 'x-api-key' : 'authorization'] = api === 'anthropic' ? apiKey : `Bearer ${apiKey}`;
  for (const [name, value] of Object.entries(headers?.() ?? {})) {
    const lower = name.toLowerCase();
    if (!OWN_HEADERS.has(lower)) own[lower] = value;
  }
  return own;
}

async function readPost(api: Api, form: CallForm, post: Post): Promise<SummarizerResult> {
  const reader = createAnswerReader(api);
  const said = new Answered();
  for await (const { kind, value } of postForEvents(post)) {
    if (!isObject(value)) continue;
    if (kind === 'whole') return wholeAnswer(api, form, { post, value });
    reader.read(value);
    said.add(form.readEvent(value));
  }
  const { usage, failure, finishReason } = reader.answer();
  if (failure !== undefined)
    throw errorOf({ place: placeOf(post.url), status: 200, body: failure, usage: countedIn(usage), credentials: credentialsOf(post) });
  return said.result(finishReason, countedIn(usage));
}

function wholeAnswer(api: Api, form: CallForm, { post, value }: { readonly post: Post; readonly value: JsonObject }): SummarizerResult {
  const { usage, failure, finishReason } = readAnswer(api, value);
  if (failure !== undefined)
    throw errorOf({ place: placeOf(post.url), status: 200, body: value, usage: countedIn(usage), credentials: credentialsOf(post) });
  const said = new Answered();
  said.add(form.readWhole(value));
  return said.result(finishReason, countedIn(usage));
}

/** What was counted, in the provider's form; an answer that counts nothing is no usage. */
function countedIn({ raw, ...classes }: Usage): unknown {
  return Object.keys(classes).length === 0 ? undefined : raw;
}

/** What was said so far. */
class Answered {
  private readonly texts: string[] = [];
  private isCall = false;
  private isRefusal = false;
  private finish: string | undefined;

  add({ text = '', isCall, isRefusal, finish, isWhole }: Said): void {
    this.isCall ||= isCall === true;
    this.isRefusal ||= isRefusal === true;
    this.finish = finish ?? this.finish;
    if (!isWhole || this.texts.length === 0) this.texts.push(text);
  }

  result(reason: string | undefined, usage: unknown): SummarizerResult {
    const word = finishWord(this.finish ?? reason);
    const finishReason = this.isRefusal ? 'refusal' : this.isCall ? 'tool_calls' : word;
    return { text: this.texts.join(''), finishReason, ...(usage === undefined ? {} : { usage }) };
  }
}
