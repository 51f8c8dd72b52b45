// An answer as Responses sends it: one response, or response.created … response.completed with numbered events.
import type { Answer } from './answer.ts';
import { itemId } from './reasoning.ts';
import type { StreamEvent } from './reply.ts';
import { type AnswerContext, piecesOf } from './write.ts';

/** Neutral words and the API's own reasons for an answer that is not complete. */
const INCOMPLETE_REASONS: ReadonlyMap<string, string> = new Map([
  ['length', 'max_output_tokens'],
  ['max_output_tokens', 'max_output_tokens'],
  ['content_filter', 'content_filter'],
]);

/** The whole response. */
export function responsesWhole(answer: Answer, context: AnswerContext): Record<string, unknown> {
  const reason = INCOMPLETE_REASONS.get(answer.finishReason);
  const { usage: _, ...head } = responseHead(context);
  return {
    ...head,
    status: reason === undefined ? 'completed' : 'incomplete',
    incomplete_details: reason === undefined ? null : { reason },
    output: outputOf(answer, context),
    ...context.usage,
  };
}

/** The items of the answer. */
export function outputOf(answer: Answer, context: AnswerContext): readonly unknown[] {
  return itemsOf(answer, context).map(({ item }) => item);
}

/** What a response has from its first event on. */
export function responseHead({ id, model, createdAtSeconds, echo }: AnswerContext): Record<string, unknown> {
  const common = { id: `resp_${id}`, object: 'response', created_at: createdAtSeconds, status: 'in_progress', error: null };
  return { ...common, incomplete_details: null, model, output: [], usage: null, ...echo };
}

/** The response as events; `numbered` puts the sequence numbers in. */
export function responsesEvents(answer: Answer, context: AnswerContext): readonly StreamEvent[] {
  const whole = responsesWhole(answer, context);
  const end = whole.status === 'completed' ? 'response.completed' : 'response.incomplete';
  return [
    ...openingEvents(context),
    ...itemsOf(answer, context).flatMap((written, index) => itemEvents(written, index, context)),
    event(end, { response: whole }),
  ];
}

/** The first two events of every response. */
export function openingEvents(context: AnswerContext): readonly StreamEvent[] {
  const response = responseHead(context);
  return [event('response.created', { response }), event('response.in_progress', { response })];
}

/** The events with `sequence_number`, from 0. */
export function numbered(events: readonly StreamEvent[]): readonly StreamEvent[] {
  return events.map((one, at) => ({ ...one, data: { ...(one.data as object), sequence_number: at } }));
}

interface WrittenItem {
  readonly item: Readonly<Record<string, unknown>> & { readonly id: string };
  /** The text or the arguments that come as deltas. */
  readonly text: string;
}

function itemsOf(answer: Answer, context: AnswerContext): readonly WrittenItem[] {
  const id = itemId(context.id, answer.thinking !== '');
  const reasoning = {
    item: {
      id: `rs_${context.id}`,
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: answer.thinking }],
      ...(context.seal === '' ? {} : { encrypted_content: context.seal }),
    },
    text: answer.thinking,
  };
  const part = { type: 'output_text', text: answer.text, annotations: [], logprobs: [] };
  const message = {
    item: { id: `msg_${id}`, type: 'message', status: 'completed', role: 'assistant', content: [part] },
    text: answer.text,
  };
  const calls = answer.toolCalls.map((call, at) => ({
    item: {
      id: `fc_${id}_${at}`,
      type: 'function_call',
      status: 'completed',
      call_id: call.id,
      name: call.name,
      arguments: call.arguments,
    },
    text: call.arguments,
  }));
  const sealed = Buffer.from(answer.compaction ?? '').toString('base64url');
  const compaction = { item: { id: `cmp_${context.id}`, type: 'compaction', encrypted_content: sealed }, text: '' };
  const first = answer.compaction === undefined ? [] : [compaction];
  return [...first, ...(answer.thinking === '' ? [] : [reasoning]), ...(answer.text === '' ? [] : [message]), ...calls];
}

function itemEvents({ item, text }: WrittenItem, index: number, context: AnswerContext): readonly StreamEvent[] {
  const at = { item_id: item.id, output_index: index };
  const added = event('response.output_item.added', { output_index: index, item: unfinished(item) });
  const done = event('response.output_item.done', { output_index: index, item });
  return item.type === 'compaction' ? [added, done] : [added, ...innerEvents({ item, text, at }, context), done];
}

function unfinished(item: WrittenItem['item']): object {
  if (item.type === 'reasoning') return { ...item, summary: [] };
  if (item.type === 'compaction') return item;
  if (item.type === 'message') return { ...item, status: 'in_progress', content: [] };
  return { ...item, status: 'in_progress', arguments: '' };
}

function innerEvents({ item, text, at }: WrittenItem & { readonly at: object }, context: AnswerContext): readonly StreamEvent[] {
  const pieces = piecesOf(text, context);
  if (item.type === 'function_call') {
    const deltas = pieces.map((delta) => event('response.function_call_arguments.delta', { ...at, delta }));
    return [...deltas, event('response.function_call_arguments.done', { ...at, name: item.name, arguments: text })];
  }
  if (item.type === 'reasoning') {
    const part = { ...at, summary_index: 0 };
    return [
      event('response.reasoning_summary_part.added', { ...part, part: { type: 'summary_text', text: '' } }),
      ...pieces.map((delta) => event('response.reasoning_summary_text.delta', { ...part, delta })),
      event('response.reasoning_summary_text.done', { ...part, text }),
      event('response.reasoning_summary_part.done', { ...part, part: { type: 'summary_text', text } }),
    ];
  }
  const part = { ...at, content_index: 0 };
  return [
    event('response.content_part.added', { ...part, part: { type: 'output_text', text: '', annotations: [], logprobs: [] } }),
    ...pieces.map((delta) => event('response.output_text.delta', { ...part, delta, logprobs: [] })),
    event('response.output_text.done', { ...part, text, logprobs: [] }),
    event('response.content_part.done', { ...part, part: (item.content as readonly unknown[])[0] }),
  ];
}

function event(type: string, members: object): StreamEvent {
  return { event: type, data: { type, ...members } };
}
