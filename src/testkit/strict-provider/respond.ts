// One request → what is sent back. Rules first, then scripted faults, then limits; only what is answered is cached and billed.
import type { Api } from '../../core/transcript/entry.ts';
import { isObject, listOf } from '../../wire/rules.ts';
import { type Answer, completeAnswer } from './answer.ts';
import type { Account } from './bill.ts';
import { type Refused, refusingFault } from './faults.ts';
import { askedOutput, checkLimits } from './limits.ts';
import type { CachedInput, PrefixCache } from './prefix-cache.ts';
import { invalidRequest, type Refusal, refusalBody, refusalEvents } from './refusal.ts';
import { eventReply, jsonReply, type Reply, type StreamEvent } from './reply.ts';
import type { OpenRequest } from './request.ts';
import type { Faults, Script } from './script.ts';
import { type Segment, segmentsOf, totalTokens } from './segments.ts';
import type { ModelSettings, Settings } from './settings.ts';
import { checkHeaders, checkStructure } from './structure.ts';
import { checkThinking, signThinking, thinkingPath } from './thinking.ts';
import type { UsageReport } from './usage-report.ts';
import type { AnswerContext } from './write.ts';
import { anthropicEvents, anthropicWhole } from './write-anthropic.ts';
import { chatEvents, chatWhole } from './write-chat.ts';
import { numbered, openingEvents, responseHead, responsesEvents, responsesWhole } from './write-responses.ts';

/** What all requests of one provider share. */
export interface World {
  readonly settings: Settings;
  readonly script: Script;
  readonly cache: PrefixCache;
  readonly account: Account;
  readonly usage: UsageReport;
  /** A new id, unique in this provider and short. */
  nextId(): string;
}

/** A reply, and the faults that concern its delivery. */
export interface Response {
  readonly reply: Reply;
  readonly faults: Faults;
}

/** Answers a request for an answer. */
export async function respond(world: World, request: OpenRequest): Promise<Response> {
  const api = request.api!;
  const id = world.nextId();
  const refuse = (refusal: Refusal, faults: Faults = {}): Response => ({ reply: refusalReply(api, refusal, id), faults });
  const { options, counting } = world.settings;
  const structure = (options.strictHeaders ? checkHeaders(request) : undefined) ?? checkStructure(request, options.rules ?? 'api');
  if (structure !== undefined) return refuse(structure);
  const thinking =
    api === 'anthropic' ? checkThinking(request.body, options.signatures ?? 'bound', request.headers['anthropic-beta']) : { notes: {} };
  if (thinking.refusal !== undefined) return refuse(thinking.refusal);

  const model = world.settings.model(request.model);
  const segments = segmentsOf(api, request.body, counting);
  request.tokens = totalTokens(segments);
  const asked = askedOutput(api, request.body);
  const faults = world.script(request);
  const refused: Refused = {
    api,
    model: request.model,
    tokens: request.tokens,
    windowTokens: model.windowTokens,
    outputTokens: asked?.tokens,
    thinkingPath: api === 'anthropic' ? thinkingPath(request.body) : undefined,
  };
  const refusing = refusingFault(faults, refused);
  if (refusing !== undefined && 'reply' in refusing) return { reply: refusing.reply, faults };
  const limit = refusing === undefined && faults.truncate === undefined ? checkLimits({ ...refused, asked }, model) : undefined;
  const refusal = refusing?.refusal ?? limit?.refusal;
  const place = refusing?.as ?? (limit?.isOverflow && model.overflow === 'first-event' ? 'first-event' : 'status');
  if (refusal !== undefined && (place === 'status' || !request.isStream)) return refuse(refusal, faults);
  if (refusal !== undefined && place === 'first-event') {
    const context = contextOf({ world, request, id, seal: '', notes: {}, usage: {} });
    return { reply: eventReply(failingEvents(api, context, refusal), idHeaders(api, id)), faults };
  }

  const read = readInput(world, request, { segments, model, faults });
  const said = faults.empty === undefined ? await options.answer?.(request) : { finishReason: faults.empty.finishReason };
  const answer = completeAnswer(said, { counting, maxOutputTokens: asked?.tokens, nextId: () => callId(api, world.nextId()) });
  world.account.add(read, answer.outputTokens, model.prices);
  const usage = world.usage.of(api, read, answer, faults.usage?.usage);
  const seal = sealOf(request, answer);
  const context = contextOf({ world, request, id, seal, notes: thinking.notes, usage });
  if (!request.isStream) return { reply: jsonReply(200, wholeOf(api, answer, context), idHeaders(api, id)), faults };
  const events = eventsOf(api, answer, context);
  const sent =
    refusal === undefined
      ? events
      : [...events.slice(0, Math.ceil(events.length / 2)), ...refusalEvents(api, refusal, responseHead(context))];
  return { reply: eventReply(api === 'openai-responses' ? numbered(sent) : sent, idHeaders(api, id)), faults };
}

/** An error in the shape of the API. */
export function refusalReply(api: Api | undefined, refusal: Refusal, id: string): Reply {
  return jsonReply(refusal.status, refusalBody(api, refusal, `req_${id}`), { ...idHeaders(api, id), ...refusal.headers });
}

function idHeaders(api: Api | undefined, id: string): Readonly<Record<string, string>> {
  return { [api === 'anthropic' ? 'request-id' : 'x-request-id']: `req_${id}` };
}

function callId(api: Api, id: string): string {
  return `${api === 'anthropic' ? 'toolu' : 'call'}_${id}`;
}

function failingEvents(api: Api, context: AnswerContext, refusal: Refusal): readonly StreamEvent[] {
  const failing = refusalEvents(api, refusal, responseHead(context));
  return api === 'openai-responses' ? numbered([...openingEvents(context), ...failing]) : failing;
}

/** Reads the input through the cache; a truncated one is read from where it was cut and reported as full. */
function readInput(
  world: World,
  request: OpenRequest,
  { segments, model, faults }: { segments: readonly Segment[]; model: ModelSettings; faults: Faults },
): CachedInput {
  const limit = faults.truncate?.limitTokens ?? model.windowTokens;
  const isCut = (faults.truncate !== undefined || model.overflow === 'truncate') && request.tokens > limit;
  if (isCut) return { uncachedInput: limit, cacheRead: 0, cacheWrite: 0, cacheWrite1h: 0 };
  const credential = request.headers.authorization ?? request.headers['x-api-key'] ?? '';
  const scope = `${credential}\n${request.model}`;
  const { cacheMinimumTokens: minimumTokens } = model;
  const read = world.cache.read({ api: request.api!, scope, segments, minimumTokens, nowMs: world.settings.clock.now() });
  request.cachedTokens = read.cacheRead;
  return read;
}

function sealOf(request: OpenRequest, answer: Answer): string {
  if (answer.thinking === '') return '';
  if (request.api === 'anthropic') return signThinking(request.body, answer.thinking);
  const isAsked = listOf(request.body.include).includes('reasoning.encrypted_content');
  return isAsked ? Buffer.from(answer.thinking).toString('base64') : '';
}

interface ContextParts {
  readonly world: World;
  readonly request: OpenRequest;
  readonly id: string;
  readonly seal: string;
  readonly notes: AnswerContext['notes'];
  readonly usage: AnswerContext['usage'];
}

const ECHOED = [
  'instructions',
  'metadata',
  'parallel_tool_calls',
  'temperature',
  'tool_choice',
  'tools',
  'top_p',
  'previous_response_id',
  'store',
];

function contextOf({ world, request, id, seal, notes, usage }: ContextParts): AnswerContext {
  const { body } = request;
  const streamOptions = isObject(body.stream_options) ? body.stream_options : {};
  const defaults = {
    instructions: null,
    metadata: {},
    parallel_tool_calls: true,
    tool_choice: 'auto',
    tools: [],
    previous_response_id: null,
  };
  const given = ECHOED.flatMap((key) => (body[key] === undefined ? [] : [[key, body[key]] as const]));
  return {
    id,
    model: request.model,
    createdAtSeconds: Math.floor(world.settings.clock.now() / 1_000),
    usage,
    includeUsage: streamOptions.include_usage === true,
    chunkChars: world.settings.chunkChars,
    seal,
    echo: request.api === 'openai-responses' ? { ...defaults, ...Object.fromEntries(given) } : {},
    notes,
  };
}

function wholeOf(api: Api, answer: Answer, context: AnswerContext): unknown {
  if (api === 'anthropic') return anthropicWhole(answer, context);
  return api === 'openai-chat' ? chatWhole(answer, context) : responsesWhole(answer, context);
}

function eventsOf(api: Api, answer: Answer, context: AnswerContext): readonly StreamEvent[] {
  if (api === 'anthropic') return anthropicEvents(answer, context);
  return api === 'openai-chat' ? chatEvents(answer, context) : responsesEvents(answer, context);
}

/** Answers how many tokens a request has. */
export function countTokens(world: World, request: OpenRequest): Reply {
  const id = world.nextId();
  const structure = checkStructure(request, world.settings.options.rules ?? 'api');
  if (structure !== undefined) return refusalReply(request.api, structure, id);
  request.tokens = totalTokens(segmentsOf(request.api!, request.body, world.settings.counting));
  return jsonReply(200, { input_tokens: request.tokens }, idHeaders(request.api, id));
}

/** Compacts an input of the Responses API: its user messages and one opaque item. The input must still fit the window. */
export function compact(world: World, request: OpenRequest): Reply {
  const { settings, account } = world;
  const id = world.nextId();
  const structure = checkStructure(request, settings.options.rules ?? 'api');
  if (structure !== undefined) return refusalReply(request.api, structure, id);
  const model = settings.model(request.model);
  const segments = segmentsOf(request.api!, request.body, settings.counting);
  request.tokens = totalTokens(segments);
  const limit = checkLimits({ api: request.api!, model: request.model, tokens: request.tokens, asked: undefined }, model);
  if (limit !== undefined) return refusalReply(request.api, limit.refusal, id);
  const read = readInput(world, request, { segments, model, faults: {} });
  const output = { outputTokens: 200, thinkingTokens: 0 };
  account.add(read, output.outputTokens, model.prices);
  const users = listOf(request.body.input).filter((item) => isObject(item) && item.role === 'user');
  const item = { type: 'compaction', id: `cmp_${id}`, encrypted_content: Buffer.from(`compaction ${id}`).toString('base64') };
  const usage = world.usage.of('openai-responses', read, output);
  const createdAt = Math.floor(settings.clock.now() / 1_000);
  return jsonReply(200, { id: `resp_${id}`, object: 'response.compaction', created_at: createdAt, output: [...users, item], ...usage });
}

/** The models by name. */
export function listModels({ settings }: World): Reply {
  const names = Object.keys(settings.options.models ?? {});
  const data = (names.length === 0 ? ['strict-model'] : names).map((id) => ({
    id,
    object: 'model',
    type: 'model',
    created: 0,
    owned_by: 'strict-provider',
  }));
  return jsonReply(200, { object: 'list', data, has_more: false, first_id: data[0]!.id, last_id: data.at(-1)!.id });
}

/** A path or method nobody serves. */
export function notFound(world: World, request: OpenRequest): Reply {
  const path = request.path.split('?', 1)[0]!;
  return refusalReply(request.api, invalidRequest(`Invalid URL (${request.method} ${path})`, 404), world.nextId());
}
