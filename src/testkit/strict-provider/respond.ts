// One request for an answer → what is sent back. Rules first, then scripted faults, then limits; only what is answered is cached and billed.
import { listOf } from '../../wire/rules.ts';
import { type Answer, completeAnswer, isCompactionAlone, type ScriptedAnswer } from './answer.ts';
import { type Checked, checkRequest } from './check.ts';
import { compactionOf } from './compaction.ts';
import { signCompaction } from './compaction-blocks.ts';
import { contextOf } from './context.ts';
import type { FaultPlace } from './fault.ts';
import { refusingFault } from './faults.ts';
import { checkLimits } from './limits.ts';
import { readInput } from './read-input.ts';
import { sealReasoning } from './reasoning.ts';
import { idHeaders, type Refusal, refusalEvents, refusalReply } from './refusal.ts';
import { eventReply, jsonReply, type Reply, type StreamEvent } from './reply.ts';
import { credentialOf, type OpenRequest } from './request.ts';
import type { Faults } from './script.ts';
import { signThinking, thinkingPath } from './thinking.ts';
import type { World } from './world.ts';
import type { AnswerContext } from './write.ts';
import { anthropicEvents, anthropicWhole } from './write-anthropic.ts';
import { chatEvents, chatWhole } from './write-chat.ts';
import { numbered, openingEvents, outputOf, responseHead, responsesEvents, responsesWhole } from './write-responses.ts';

/** A reply, and the faults that concern its delivery. */
export interface Response {
  readonly reply: Reply;
  readonly faults: Faults;
}

/** Answers a request for an answer. */
export async function respond(world: World, request: OpenRequest): Promise<Response> {
  const id = world.nextId();
  const checked = checkRequest(world, request);
  if ('refusal' in checked) return { reply: refusalReply(request.api, checked.refusal, id), faults: {} };
  const faults = world.script(request);
  const refused = refusedBy(request, checked, faults);
  if (refused !== undefined && 'reply' in refused) return { reply: refused.reply, faults };
  if (refused === undefined || (refused.as === 'after-content' && request.isStream)) {
    return { reply: await answerReply(world, request, { ...checked, faults, id, refusal: refused?.refusal }), faults };
  }
  const reply =
    refused.as === 'first-event' && request.isStream
      ? streamReply(request, id, failingEvents(request, contextOf(world, request, { id }), refused.refusal))
      : refusalReply(request.api, refused.refusal, id);
  return { reply, faults };
}

type Refused = { readonly refusal: Refusal; readonly as: NonNullable<FaultPlace['as']> } | { readonly reply: Reply };

function refusedBy(request: OpenRequest, checked: Checked, faults: Faults): Refused | undefined {
  const { api, model, asked } = checked;
  const { tokens } = request;
  const size = { api, model: request.model, tokens };
  const refusing = refusingFault(faults, {
    ...size,
    windowTokens: model.windowTokens,
    outputTokens: asked?.tokens,
    thinkingPath: api === 'anthropic' ? thinkingPath(request.body) : undefined,
  });
  if (refusing !== undefined || faults.truncate !== undefined) return refusing;
  const limit = checkLimits({ ...size, asked }, model);
  if (limit === undefined) return undefined;
  return { refusal: limit.refusal, as: limit.isOverflow && model.overflow === 'first-event' ? 'first-event' : 'status' };
}

interface Answering extends Checked {
  readonly faults: Faults;
  readonly id: string;
  /** Ends the stream in its middle. */
  readonly refusal: Refusal | undefined;
}

async function answerReply(world: World, request: OpenRequest, answering: Answering): Promise<Reply> {
  const { api, id, faults, refusal } = answering;
  const answer = await speak(world, request, answering);
  const read = readInput(world, request, { ...answering, truncate: faults.truncate });
  world.account.add(read, answer.outputTokens, answering.model.prices);
  const context = contextOf(world, request, {
    id,
    seal: sealOf(request, answer),
    notes: answering.notes,
    usage: world.usage.of(api, read, answer, faults.usage?.usage),
  });
  if (api === 'openai-responses') world.responses.keep(`resp_${id}`, answering.body, outputOf(answer, context));
  if (!request.isStream) return jsonReply(200, wholeOf(request, answer, context), idHeaders(api, id));
  const events = eventsOf(request, answer, context);
  if (refusal === undefined) return streamReply(request, id, events);
  const begun = events.slice(0, Math.ceil(events.length / 2));
  return streamReply(request, id, [...begun, ...refusalEvents(api, refusal, responseHead(context))]);
}

async function speak(world: World, request: OpenRequest, { api, body, asked, faults }: Answering): Promise<Answer> {
  const { options, counting } = world.settings;
  const silent: ScriptedAnswer | undefined = faults.empty && { finishReason: faults.empty.finishReason };
  const said = silent ?? (await options.answer?.(request));
  const prefix = api === 'anthropic' ? 'toolu' : 'call';
  return completeAnswer(said, {
    counting,
    maxOutputTokens: asked?.tokens,
    nextId: () => `${prefix}_${world.nextId()}`,
    compaction: compactionOf(api, body, request.tokens),
  });
}

function sealOf(request: OpenRequest, answer: Answer): string {
  if (request.api === 'anthropic' && isCompactionAlone(answer)) return signCompaction(answer.compaction ?? '');
  if (answer.thinking === '') return '';
  if (request.api === 'anthropic') return signThinking(request.body, answer.thinking);
  const isAsked = listOf(request.body.include).includes('reasoning.encrypted_content');
  return isAsked ? sealReasoning(answer.thinking, credentialOf(request)) : '';
}

function streamReply({ api }: OpenRequest, id: string, events: readonly StreamEvent[]): Reply {
  return eventReply(api === 'openai-responses' ? numbered(events) : events, idHeaders(api, id));
}

function failingEvents({ api }: OpenRequest, context: AnswerContext, refusal: Refusal): readonly StreamEvent[] {
  const failing = refusalEvents(api!, refusal, responseHead(context));
  return api === 'openai-responses' ? [...openingEvents(context), ...failing] : failing;
}

function wholeOf({ api }: OpenRequest, answer: Answer, context: AnswerContext): unknown {
  if (api === 'anthropic') return anthropicWhole(answer, context);
  return api === 'openai-chat' ? chatWhole(answer, context) : responsesWhole(answer, context);
}

function eventsOf({ api }: OpenRequest, answer: Answer, context: AnswerContext): readonly StreamEvent[] {
  if (api === 'anthropic') return anthropicEvents(answer, context);
  return api === 'openai-chat' ? chatEvents(answer, context) : responsesEvents(answer, context);
}
