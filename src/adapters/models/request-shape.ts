// The body of a request for a summary in each API, and how it changes when a server refuses one of its options. No tools, no images.
import type { SummaryPrompt } from '../../core/summary/prompt.ts';
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

/** The body of a request that was sent already, without what says how its answer is written: all that its cache hangs on stays as it is. */
export function behind(prefix: string): SentBody {
  const given = JSON.parse(prefix) as SentBody;
  return Object.fromEntries(Object.entries(given).filter(([name]) => !OF_ANSWER.has(name))) as SentBody;
}

/** Such a body with the instructions behind it. */
export function bodyBehind(api: Api, prefix: string, input: Omit<BodyInput, 'model'>): object {
  const { prompt, outputTokens, shape } = input;
  const sent = behind(prefix);
  // Anthropic is asked this way only without tools.
  const noCalls = sent.tools === undefined || api === 'anthropic' ? {} : { tool_choice: 'none' };
  if (api === 'openai-responses') {
    const ask = { type: 'message', role: 'user', content: [{ type: 'input_text', text: prompt.system }] };
    return { ...sent, ...noCalls, input: [...(sent.input ?? []), ask], stream: true, store: false, max_output_tokens: outputTokens };
  }
  const messages = [...(sent.messages ?? []), { role: 'user', content: prompt.system }];
  if (api === 'anthropic') return { ...sent, messages, stream: true, max_tokens: outputTokens + (sent.thinking?.budget_tokens ?? 0) };
  const streamed = shape.hasStreamOptions ? { stream_options: { include_usage: true } } : {};
  return { ...sent, ...noCalls, messages, stream: true, ...streamed, [shape.cap]: outputTokens };
}

/** Says how the answer is written, not what is read: no cache hangs on it, and a summary is written in its own way. */
const OF_ANSWER: ReadonlySet<string> = new Set([
  ...['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'stop', 'stop_sequences', 'n', 'background'],
  ...['logit_bias', 'logprobs', 'top_logprobs', 'prediction'],
]);

interface SentBody {
  readonly tools?: unknown;
  readonly input?: readonly unknown[];
  readonly messages?: readonly unknown[];
  readonly thinking?: { readonly budget_tokens?: number };
  readonly context_management?: unknown;
}

const OPTIONS = [
  'max_completion_tokens',
  'max_tokens',
  'reasoning_effort',
  'reasoning',
  'output_config',
  'effort',
  'stream_options',
] as const;

/** The shape that answers a refusal. */
export interface NextShape {
  readonly shape: RequestShape;
  /** False when the server spoke of the room that this request left. */
  readonly isForAll: boolean;
}

/** undefined when nothing would change. `tried` are the shapes that were sent. */
export function shapeAfter(error: unknown, sent: BodyInput, tried: readonly RequestShape[]): NextShape | undefined {
  const answer = ModelCallError.answerOf(error);
  const next = answer && nextShape(answer, sent);
  const isNew = next !== undefined && !tried.some((shape) => JSON.stringify(shape) === JSON.stringify(next.shape));
  return isNew ? next : undefined;
}

const LEAST_OUTPUT_TOKENS = 128;

function nextShape(error: ProviderAnswer, { shape, outputTokens }: BodyInput): NextShape | undefined {
  const found = classifyError({ error });
  const most = found.kind === 'output-cap' ? (found.available ?? found.limit) : undefined;
  if (found.kind === 'output-cap' && most !== undefined) {
    const isLess = most >= LEAST_OUTPUT_TOKENS && most < outputTokens;
    return isLess ? { shape: { ...shape, mostOutputTokens: most }, isForAll: found.available === undefined } : undefined;
  }
  const changed = withoutRejected(error, shape);
  return changed && { shape: changed, isForAll: true };
}

function withoutRejected(error: ProviderAnswer, shape: RequestShape): RequestShape | undefined {
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
