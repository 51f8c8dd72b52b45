// Errors of the three APIs: status, words, and the shape in which each sends them, whole or as events of a stream.
import type { Api } from '../../core/transcript/entry.ts';
import { jsonReply, type Reply, type StreamEvent } from './reply.ts';

/** An error before it has the shape of an API. */
export interface Refusal {
  /** HTTP status. */
  readonly status: number;
  /** `error.type`. */
  readonly type: string;
  readonly message: string;
  /** OpenAI's `error.code`; null when there is none. */
  readonly code?: string | null;
  /** OpenAI's `error.param`. */
  readonly param?: string | null;
  /** Anthropic's `error.details.error_code`. */
  readonly errorCode?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function refusalBody(api: Api | undefined, refusal: Refusal, requestId: string): unknown {
  if (api === 'anthropic') return { type: 'error', error: anthropicError(refusal), request_id: requestId };
  const { message, type, param = null, code = null } = refusal;
  return { error: { message, type, param, code } };
}

function anthropicError({ type, message, errorCode }: Refusal): object {
  return { type, message, ...(errorCode === undefined ? {} : { details: { error_code: errorCode } }) };
}

/** A refusal as a whole answer. `id` is the provider's own, without a prefix. */
export function refusalReply(api: Api | undefined, refusal: Refusal, id: string): Reply {
  return jsonReply(refusal.status, refusalBody(api, refusal, `req_${id}`), { ...idHeaders(api, id), ...refusal.headers });
}

/** The header that names the request. */
export function idHeaders(api: Api | undefined, id: string): Readonly<Record<string, string>> {
  return { [api === 'anthropic' ? 'request-id' : 'x-request-id']: `req_${id}` };
}

/** The event that carries an error inside a stream of status 200. */
export function refusalEvents(api: Api, refusal: Refusal, response: object): readonly StreamEvent[] {
  if (api === 'anthropic') {
    return [{ event: 'error', data: { type: 'error', error: anthropicError(refusal) } }];
  }
  const { message, type, param = null, code = null } = refusal;
  if (api === 'openai-chat') return [{ data: { error: { message, type, param, code } } }];
  const failed = { ...response, status: 'failed', error: { code: code ?? 'server_error', message }, output: [], usage: null };
  return [{ event: 'response.failed', data: { type: 'response.failed', response: failed } }];
}

/** A broken rule, an unknown path, damaged JSON. */
export function invalidRequest(message: string, status = 400, param: string | null = null): Refusal {
  return { status, type: status === 404 ? 'not_found_error' : 'invalid_request_error', message, param };
}

/** The input alone is over the window. `numbers: false` prints neither limit nor size, as some relays do. */
export function overflowRefusal(api: Api, size: { tokens: number; windowTokens: number; numbers: boolean }): Refusal {
  const { tokens, windowTokens, numbers } = size;
  const type = 'invalid_request_error';
  if (api === 'anthropic') {
    return {
      status: 400,
      type,
      message: numbers ? `prompt is too long: ${tokens} tokens > ${windowTokens} maximum` : 'prompt is too long',
    };
  }
  const code = 'context_length_exceeded';
  if (api === 'openai-chat' && numbers) {
    const words = `This model's maximum context length is ${windowTokens} tokens. However, your messages resulted in ${tokens} tokens.`;
    return { status: 400, type, code, param: 'messages', message: `${words} Please reduce the length of the messages.` };
  }
  const message = 'Your input exceeds the context window of this model. Please adjust your input and try again.';
  return { status: 400, type, code, param: api === 'openai-chat' ? 'messages' : 'input', message };
}

/** The input fits, together with the output that is asked for it does not. */
export function outputOverWindow(api: Api, size: { tokens: number; outputTokens: number; windowTokens: number }): Refusal {
  const { tokens, outputTokens, windowTokens } = size;
  const type = 'invalid_request_error';
  if (api === 'anthropic') {
    const sum = `${tokens} + ${outputTokens} > ${windowTokens}`;
    const rest = 'decrease input length or `max_tokens` and try again';
    return { status: 400, type, message: `input length and \`max_tokens\` exceed context limit: ${sum}, ${rest}` };
  }
  const parts = `${tokens + outputTokens} tokens (${tokens} in the messages, ${outputTokens} in the completion)`;
  const message = `This model's maximum context length is ${windowTokens} tokens. However, you requested ${parts}. Please reduce the length of the messages or completion.`;
  return { status: 400, type, code: 'context_length_exceeded', param: 'messages', message };
}

/** More output is asked for than the model ever gives. */
export function outputOverCap(api: Api, size: { key: string; outputTokens: number; capTokens: number; model: string }): Refusal {
  const { key, outputTokens, capTokens, model } = size;
  const type = 'invalid_request_error';
  if (api === 'anthropic') {
    const words = `which is the maximum allowed number of output tokens for ${model}`;
    return { status: 400, type, message: `max_tokens: ${outputTokens} > ${capTokens}, ${words}` };
  }
  const message = `${key} is too large: ${outputTokens}. This model supports at most ${capTokens} completion tokens, whereas you provided ${outputTokens}.`;
  return { status: 400, type, code: 'invalid_value', param: key, message };
}

/** More bytes than the API takes. */
export function tooManyBytes(api: Api | undefined): Refusal {
  if (api === 'anthropic') return { status: 413, type: 'request_too_large', message: 'Request exceeds the maximum size' };
  return { status: 413, type: 'invalid_request_error', code: 'request_too_large', message: 'Request body is too large' };
}
