// A summarizer over any language model of the AI SDK. The package `ai` is an optional peer and loaded when it is first needed.
import { UllageError } from '../../core/errors.ts';
import { composeSummaryPrompt } from '../../core/summary/prompt.ts';
import type { Summarizer, SummarizerRequest, SummarizerResult } from '../../ports/summarizer.ts';
import { finishWord } from './finish-reason.ts';
import { outputTokensFor, textTokensIn, traitsOf } from './options.ts';

/** A language model of the AI SDK, as far as it is looked at here; or the name of one for its gateway. */
export type AiSdkModel = string | { readonly modelId: string; readonly provider: string };

/** Options of {@link aiSdkSummarizer}. */
export interface AiSdkSummarizerOptions {
  /** Window of the model, tokens. Default: the built-in registry's, else 32,000. */
  readonly windowTokens?: number;
  /** Stable name under which cooling and costs are kept. Default: provider#model. */
  readonly id?: string;
  /** Passed on as they are, such as `{ openai: { reasoningEffort: 'low' } }`. */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** As far as the SDK is called here. */
interface Sdk {
  streamText(options: object): { readonly fullStream: AsyncIterable<unknown> };
}

/**
 * A summarizer that asks a model of the AI SDK (`npm install ai`). Streamed, without tools, without the SDK's own retries: the chain decides
 * what is tried next. Throws option_invalid at its first call when `ai` is not installed.
 *
 * @example
 * ```ts
 * import { aiSdkSummarizer } from 'ullage/models';
 * import { openai } from '@ai-sdk/openai';
 *
 * const summarizer = aiSdkSummarizer(openai('gpt-5-mini'));
 * ```
 */
export function aiSdkSummarizer(model: AiSdkModel, options: AiSdkSummarizerOptions = {}): Summarizer {
  const { provider, modelId } = typeof model === 'string' ? { provider: 'gateway', modelId: model } : model;
  const traits = traitsOf(/anthropic|claude/i.test(`${provider}/${modelId}`) ? 'anthropic' : 'openai-chat', modelId, options);
  const { windowTokens, reasoningTokens, maxOutputTokens } = traits;
  const summarize = async (request: SummarizerRequest): Promise<SummarizerResult> => {
    const { system, user } = composeSummaryPrompt(request);
    const { streamText } = await loadSdk();
    const { fullStream } = streamText({
      model,
      system,
      prompt: user,
      maxOutputTokens: Math.min(outputTokensFor(request.maxOutputTokens, traits), maxOutputTokens ?? Number.POSITIVE_INFINITY),
      maxRetries: 0,
      abortSignal: request.signal,
      providerOptions: options.providerOptions,
      // Without it the SDK prints errors by itself; they come in the stream too.
      onError: () => {},
    });
    return readStream(fullStream);
  };
  const names = {
    id: { value: options.id ?? `${provider}#${modelId}` },
    ...(windowTokens === undefined ? {} : { windowTokens: { value: windowTokens - reasoningTokens } }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens: { value: textTokensIn(maxOutputTokens, traits) } }),
  };
  return Object.defineProperties(summarize, names);
}

async function loadSdk(): Promise<Sdk> {
  try {
    return (await import('ai')) as Sdk;
  } catch (cause) {
    const message = 'aiSdkSummarizer needs the package ai, which is not installed: run npm install ai.';
    throw new UllageError('option_invalid', message, { cause });
  }
}

interface StreamPart {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly error?: unknown;
  readonly finishReason?: unknown;
  readonly totalUsage?: unknown;
}

async function readStream(parts: AsyncIterable<unknown>): Promise<SummarizerResult> {
  const texts: string[] = [];
  let finishReason: string | undefined;
  let usage: unknown;
  for await (const part of parts as AsyncIterable<StreamPart>) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'text-delta' && typeof part.text === 'string') texts.push(part.text);
    if (part.type !== 'finish') continue;
    finishReason = typeof part.finishReason === 'string' ? part.finishReason : undefined;
    usage = part.totalUsage;
  }
  return { text: texts.join(''), finishReason: finishWord(finishReason), ...(usage === undefined ? {} : { usage }) };
}
