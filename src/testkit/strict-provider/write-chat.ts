// An answer as Chat Completions sends it: one object, or chunks that end with [DONE].
import type { Answer } from './answer.ts';
import type { StreamEvent } from './reply.ts';
import { type AnswerContext, piecesOf } from './write.ts';

/** The whole answer. */
export function chatWhole(answer: Answer, context: AnswerContext): unknown {
  const calls = answer.toolCalls.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
  }));
  const message = {
    role: 'assistant',
    content: answer.text === '' && calls.length > 0 ? null : answer.text,
    refusal: null,
    ...(answer.thinking === '' ? {} : { reasoning_content: answer.thinking }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  const choice = { index: 0, message, logprobs: null, finish_reason: answer.finishReason };
  return { ...head(context, 'chat.completion'), choices: [choice], ...context.usage };
}

/** The answer as chunks. Usage comes only when it was asked for, in a chunk of its own without choices. */
export function chatEvents(answer: Answer, context: AnswerContext): readonly StreamEvent[] {
  const common = head(context, 'chat.completion.chunk');
  const isUsageAsked = context.includeUsage;
  const chunk = (delta: object, finishReason: string | null = null): StreamEvent => ({
    data: {
      ...common,
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
      ...(isUsageAsked ? { usage: context.runningUsage ?? null } : {}),
    },
  });
  const calls = answer.toolCalls.flatMap((call, index) => [
    chunk({ tool_calls: [{ index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } }] }),
    ...piecesOf(call.arguments, context).map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ]);
  return [
    chunk({ role: 'assistant', content: '', refusal: null }),
    ...piecesOf(answer.thinking, context).map((piece) => chunk({ reasoning_content: piece })),
    ...piecesOf(answer.text, context).map((piece) => chunk({ content: piece })),
    ...calls,
    chunk({}, answer.finishReason),
    ...(isUsageAsked && 'usage' in context.usage ? [{ data: { ...common, choices: [], ...context.usage } }] : []),
    { data: '[DONE]' },
  ];
}

function head({ id, model, createdAtSeconds }: AnswerContext, object: string): object {
  return { id: `chatcmpl-${id}`, object, created: createdAtSeconds, model, service_tier: 'default', system_fingerprint: null };
}
