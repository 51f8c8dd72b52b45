// The body of a request for a summary in each API, and how it changes when a server refuses one of its options. No tools, no images.
import type { SummaryPrompt } from '../../core/summary/compose-prompt.ts';
import type { Api } from '../../core/transcript/entry.ts';
import { classifyError } from '../../wire/errors/classify.ts';
import { rejectedOption } from '../../wire/errors/rejected-option.ts';
import { ModelCallError, type ProviderAnswer } from './model-call-error.ts';
import type { CheckedOptions, ModelTraits } from './options.ts';

/** Everything of a body that a server may refuse. */
export interface RequestShape {
  readonly cap: 'max_tokens' | 'max_completion_tokens';
  readonly effort: string | undefined;
  readonly hasStreamOptions: boolean;
  /** The most output tokens a server said it allows. */
  readonly mostOutputTokens: number;
}

export function firstShape({ effort }: CheckedOptions, traits: ModelTraits): RequestShape {
  return {
    cap: traits.isCompletionCapped ? 'max_completion_tokens' : 'max_tokens',
    effort: effort === false ? undefined : (effort ?? (traits.hasEffort ? 'low' : undefined)),
    hasStreamOptions: true,
    mostOutputTokens: traits.maxOutputTokens ?? Number.POSITIVE_INFINITY,
  };
}

export interface BodyInput {
  readonly model: string;
  readonly prompt: SummaryPrompt;
  readonly outputTokens: number;
  readonly shape: RequestShape;
}

export const BODY_OF: Readonly<Record<Api, (input: BodyInput) => object>> = {
  'openai-chat': ({ model, prompt, outputTokens, shape }) => ({
    model,
    messages: [
      { role: 'system', content: prompt.system },
      { role: 'user', content: prompt.user },
    ],
    stream: true,
    ...(shape.hasStreamOptions ? { stream_options: { include_usage: true } } : {}),
    [shape.cap]: outputTokens,
    ...(shape.effort === undefined ? {} : { reasoning_effort: shape.effort }),
  }),
  'openai-responses': ({ model, prompt, outputTokens, shape }) => ({
    model,
    instructions: prompt.system,
    input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: prompt.user }] }],
    stream: true,
    store: false,
    max_output_tokens: outputTokens,
    ...(shape.effort === undefined ? {} : { reasoning: { effort: shape.effort } }),
  }),
  anthropic: ({ model, prompt, outputTokens, shape }) => ({
    model,
    system: prompt.system,
    messages: [{ role: 'user', content: prompt.user }],
    stream: true,
    max_tokens: outputTokens,
    ...(shape.effort === undefined ? {} : { output_config: { effort: shape.effort } }),
  }),
};

const OPTIONS = [
  'max_completion_tokens',
  'max_tokens',
  'reasoning_effort',
  'reasoning',
  'output_config',
  'effort',
  'stream_options',
] as const;

/** The shape that answers a refusal; undefined when nothing of it would change. `tried` are the shapes that were sent. */
export function shapeAfter(error: unknown, sent: BodyInput, tried: readonly RequestShape[]): RequestShape | undefined {
  const answer = ModelCallError.answerOf(error);
  const changed = answer && changedShape(answer, sent);
  const isNew = changed !== undefined && !tried.some((shape) => JSON.stringify(shape) === JSON.stringify(changed));
  return isNew ? changed : undefined;
}

const LEAST_OUTPUT_TOKENS = 128;

function changedShape(error: ProviderAnswer, { shape, outputTokens }: BodyInput): RequestShape | undefined {
  const found = classifyError({ error });
  if (found.kind === 'output-cap') {
    const most = found.available ?? found.limit;
    if (most !== undefined) return most >= LEAST_OUTPUT_TOKENS && most < outputTokens ? { ...shape, mostOutputTokens: most } : undefined;
  }
  switch (rejectedOption(error, OPTIONS)) {
    case 'max_completion_tokens':
      return { ...shape, cap: 'max_tokens' };
    case 'max_tokens':
      return { ...shape, cap: 'max_completion_tokens' };
    case 'stream_options':
      return { ...shape, hasStreamOptions: false };
    case undefined:
      return undefined;
    default:
      return { ...shape, effort: undefined };
  }
}
