// One call of the model: a step of a turn. Tools are offered, never run here.
import type { ModelMessage, ToolResultPart, ToolSet } from 'ai';
import type { Prepared, Session } from '../../../index.ts';
import type { Endpoint, ModelFactory, Sdk } from './language-model.ts';
import { sessionFetch } from './session-fetch.ts';
import { PROVIDER_OPTIONS } from './wire-history.ts';

/** A model that can be asked, with its packages loaded. */
export interface ModelDoor {
  readonly sdk: Sdk;
  readonly models: ModelFactory;
  readonly endpoint: Endpoint;
  readonly system: string;
  readonly tools: ToolSet;
}

export interface ModelCall {
  readonly session: Session;
  readonly history: string;
  /** Messages of the open turn. */
  readonly messages: readonly ModelMessage[];
  readonly wantedPins: readonly string[];
  readonly signal: AbortSignal;
  readonly onText: (soFar: string) => void;
  readonly onPrepared: (prepared: Prepared) => void;
}

export interface ModelAnswer {
  /** The assistant's message, as the SDK wants it back. */
  readonly message: ModelMessage;
  /** Results that the SDK gave itself: of calls to a tool that is not there, or with arguments that are no JSON. */
  readonly refusedCalls: readonly ToolResultPart[];
  readonly finishReason: string;
}

/** Throws what the provider or the network gave, UllageError when a size is the reason, or the signal's reason. */
export async function callModel(door: ModelDoor, call: ModelCall): Promise<ModelAnswer> {
  const { sdk, models, endpoint, system, tools } = door;
  const fetch = sessionFetch({ ...call, endpoint });
  const result = sdk.streamText({
    model: models(endpoint, fetch),
    system,
    messages: [...call.messages],
    tools,
    maxOutputTokens: endpoint.maxOutputTokens,
    // Repeats are the turn's: between them it can be stopped, and people told.
    maxRetries: 0,
    abortSignal: call.signal,
    providerOptions: PROVIDER_OPTIONS,
    onError: () => {},
  });
  let text = '';
  for await (const part of result.fullStream) {
    if (part.type === 'text-delta') {
      text += part.text;
      call.onText(text);
    }
    if (part.type === 'error') throw part.error;
    if (part.type === 'abort') throw call.signal.reason;
  }
  const { messages } = await result.response;
  return {
    message: messages.find(({ role }) => role === 'assistant') ?? { role: 'assistant', content: [] },
    refusedCalls: messages.flatMap((message) => (message.role === 'tool' ? message.content.filter(isResult) : [])),
    finishReason: await result.finishReason,
  };
}

const isResult = (part: { readonly type: string }): part is ToolResultPart => part.type === 'tool-result';
