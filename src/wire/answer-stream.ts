// Reads the events of a stream of the three APIs as they pass: usage, how it ended, whether anything was said, an error inside it.
import type { Answer, AnswerReader, AnswerStage } from '../core/answer.ts';
import type { Usage } from '../core/size/size.ts';
import type { Api } from '../core/transcript/entry.ts';
import { blockSpeaks, failureOf, finishReasonOf, messageSpeaks } from './answer.ts';
import { isObject, type JsonObject, listOf, stringOf } from './rules.ts';
import { mergeUsage, readUsage } from './usage.ts';

/** A reader for the events of one stream, as the API's SDK or its parsed SSE data give them. Never throws. */
export function createAnswerReader(api: Api): AnswerReader {
  let usage: Usage = { raw: undefined };
  let finishReason: string | undefined;
  let hasContent = false;
  let failure: unknown;
  return {
    read(event) {
      if (!isObject(event)) {
        hasContent = true;
        return 'content';
      }
      usage = mergeUsage(api, usage, readUsage(api, event));
      finishReason = reasonIn(event) ?? finishReason;
      const failed = failureIn(event);
      failure ??= failed;
      const stage = failed === undefined ? stageOf(event) : 'failure';
      hasContent ||= eventSpeaks(event, stage);
      return stage;
    },
    answer(): Answer {
      return { usage, hasContent, ...(finishReason === undefined ? {} : { finishReason }), ...(failure === undefined ? {} : { failure }) };
    },
  };
}

/** Events that announce an answer, or only keep the connection alive. */
const PREFACE_TYPES: ReadonlySet<unknown> = new Set([
  'message_start',
  'ping',
  'keepalive',
  'response.created',
  'response.queued',
  'response.in_progress',
]);

/** The last events of an answer. */
const END_TYPES: ReadonlySet<unknown> = new Set([
  'message_delta',
  'message_stop',
  'content_block_stop',
  'response.completed',
  'response.incomplete',
]);

function stageOf(event: JsonObject): AnswerStage {
  if (PREFACE_TYPES.has(event.type)) return 'preface';
  if (END_TYPES.has(event.type)) return 'end';
  return Array.isArray(event.choices) ? chunkStage(event.choices) : 'content';
}

/** A first chunk names the role and says nothing; one without choices reports usage; a finish reason ends. */
function chunkStage(choices: readonly unknown[]): AnswerStage {
  const deltas = choices.filter(isObject);
  if (deltas.some(({ delta }) => deltaTells(delta))) return 'content';
  const isLast = deltas.length === 0 || deltas.some(({ finish_reason }) => typeof finish_reason === 'string');
  return isLast ? 'end' : 'preface';
}

/** Also reasoning, and any member that is not known: what is not understood is not held back. */
function deltaTells(delta: unknown): boolean {
  if (!isObject(delta)) return false;
  return Object.entries(delta).some(([key, value]) => {
    if (key === 'role' || value === null || value === undefined || value === '') return false;
    return !Array.isArray(value) || value.length > 0;
  });
}

function reasonIn(event: JsonObject): string | undefined {
  const { delta, response, message } = event;
  const holders = [event, delta, response, message].filter(isObject);
  return holders.map(finishReasonOf).find((reason) => reason !== undefined);
}

/** `response.failed` and `error` events, and chunks that hold an error. The event is kept whole: it names the code. */
function failureIn(event: JsonObject): unknown {
  if (event.type === 'error' || event.type === 'response.failed') return event;
  return failureOf(event) === undefined ? undefined : event;
}

function eventSpeaks(event: JsonObject, stage: AnswerStage): boolean {
  const { type } = event;
  if (Array.isArray(event.choices))
    return event.choices.some((choice) => isObject(choice) && (messageSpeaks(choice.delta) || messageSpeaks(choice.message)));
  if (stage !== 'content') return isObject(event.response) && listOf(event.response.output).some(blockSpeaks);
  if (type === 'content_block_start') return blockSpeaks(event.content_block);
  if (type === 'content_block_delta') return deltaSpeaks(event.delta);
  if (type === 'response.output_item.added' || type === 'response.output_item.done') return itemSpeaks(event.item);
  if (typeof type !== 'string' || !type.startsWith('response.')) return true;
  return !type.includes('reasoning') && type.endsWith('.delta');
}

const SILENT_DELTAS: ReadonlySet<unknown> = new Set(['thinking_delta', 'signature_delta', 'compaction_delta']);

function deltaSpeaks(delta: unknown): boolean {
  if (!isObject(delta) || SILENT_DELTAS.has(delta.type)) return false;
  return (stringOf(delta.text) ?? stringOf(delta.partial_json) ?? ' ') !== '';
}

/** A message item is announced before its text comes. */
function itemSpeaks(item: unknown): boolean {
  return isObject(item) && blockSpeaks(item);
}
