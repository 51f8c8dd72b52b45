// An answer as Messages sends it: one message, or message_start … message_stop.
import { parseJson } from '../../wire/rules.ts';
import { type Answer, isCompactionAlone } from './answer.ts';
import type { StreamEvent } from './reply.ts';
import { type AnswerContext, piecesOf } from './write.ts';

const STOP_REASONS: ReadonlyMap<string, string> = new Map([
  ['stop', 'end_turn'],
  ['length', 'max_tokens'],
  ['tool_calls', 'tool_use'],
]);

/** The whole message. */
export function anthropicWhole(answer: Answer, context: AnswerContext): unknown {
  const content = [
    ...(answer.compaction === undefined ? [] : [compactionBlock(answer, context)]),
    ...(answer.thinking === '' ? [] : [{ type: 'thinking', thinking: answer.thinking, signature: context.seal }]),
    ...(answer.text === '' ? [] : [{ type: 'text', text: answer.text }]),
    ...answer.toolCalls.map((call) => ({
      type: 'tool_use',
      id: call.id,
      name: call.name,
      input: parseJson(call.arguments)?.value ?? {},
    })),
  ];
  return { ...message(context), content, stop_reason: stopReason(answer), stop_sequence: null, ...context.usage, ...context.notes };
}

/** The message as events. */
export function anthropicEvents(answer: Answer, context: AnswerContext): readonly StreamEvent[] {
  const { usage } = context.usage;
  const first = usage ? { ...usage, output_tokens: 1 } : usage;
  const started = { ...message(context), content: [], stop_reason: null, stop_sequence: null, ...context.notes };
  const blocks = blocksOf(answer, context);
  const delta = { stop_reason: stopReason(answer), stop_sequence: null };
  return [
    event('message_start', { message: { ...started, ...('usage' in context.usage ? { usage: first } : {}) } }),
    event('ping', {}),
    ...blocks.flatMap(({ start, deltas }, index) => [
      event('content_block_start', { index, content_block: start }),
      ...deltas.map((one) => event('content_block_delta', { index, delta: one })),
      event('content_block_stop', { index }),
    ]),
    event('message_delta', { delta, ...('usage' in context.usage ? { usage } : {}), ...context.notes }),
    event('message_stop', {}),
  ];
}

interface Block {
  readonly start: object;
  readonly deltas: readonly object[];
}

function blocksOf(answer: Answer, context: AnswerContext): readonly Block[] {
  const thinking = {
    start: { type: 'thinking', thinking: '', signature: '' },
    deltas: [
      ...piecesOf(answer.thinking, context).map((piece) => ({ type: 'thinking_delta', thinking: piece })),
      { type: 'signature_delta', signature: context.seal },
    ],
  };
  const text = {
    start: { type: 'text', text: '' },
    deltas: piecesOf(answer.text, context).map((piece) => ({ type: 'text_delta', text: piece })),
  };
  const calls = answer.toolCalls.map((call) => ({
    start: { type: 'tool_use', id: call.id, name: call.name, input: {} },
    deltas: piecesOf(call.arguments, context).map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
  }));
  const { content, ...sealed } = compactionBlock(answer, context);
  const compaction = { start: { ...sealed, content: '' }, deltas: [{ type: 'compaction_delta', content }] };
  const first = answer.compaction === undefined ? [] : [compaction];
  return [...first, ...(answer.thinking === '' ? [] : [thinking]), ...(answer.text === '' ? [] : [text]), ...calls];
}

/** One that was asked for is signed, one that came at a threshold is not. */
function compactionBlock(answer: Answer, { seal }: AnswerContext) {
  const content = answer.compaction ?? '';
  const signature = isCompactionAlone(answer) ? { signature: seal } : {};
  return { type: 'compaction', content, encrypted_content: Buffer.from(content).toString('base64url'), ...signature };
}

function event(type: string, members: object): StreamEvent {
  return { event: type, data: { type, ...members } };
}

function message({ id, model }: AnswerContext): object {
  return { id: `msg_${id}`, type: 'message', role: 'assistant', model };
}

function stopReason({ finishReason }: Answer): string {
  return STOP_REASONS.get(finishReason) ?? finishReason;
}
