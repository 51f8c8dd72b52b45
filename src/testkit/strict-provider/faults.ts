// Faults that refuse: each with the words of the provider it was seen at.
import type { Api } from '../../core/transcript/entry.ts';
import type { Fault, FaultPlace } from './fault.ts';
import { outputOverWindow, overflowRefusal, type Refusal, tooManyBytes } from './refusal.ts';
import { jsonReply, type Reply } from './reply.ts';
import type { Faults } from './script.ts';

/** What the words of a refusal may name. */
export interface Refused {
  readonly api: Api;
  readonly model: string;
  readonly tokens: number;
  readonly windowTokens: number;
  /** Output tokens that are asked for; undefined when none are. */
  readonly outputTokens: number | undefined;
  /** The request has thinking blocks; the place of the first. */
  readonly thinkingPath: string | undefined;
}

/** A refusal and how it reaches the client. */
export type Refusing = { readonly refusal: Refusal; readonly as: NonNullable<FaultPlace['as']> } | { readonly reply: Reply };

type Player<T extends Fault['type']> = (fault: Extract<Fault, { readonly type: T }>, refused: Refused) => Refusal | Reply | undefined;

const PLAYERS: { readonly [T in Fault['type']]?: Player<T> } = {
  auth: ({ status = 401 }, { api }) => authRefusal(api, status),
  html: ({ status = 502 }) => ({
    status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: `<!DOCTYPE html>\n<html><head><title>${status} Bad gateway</title></head><body><h1>Bad gateway</h1><p>cloudflare</p></body></html>`,
  }),
  status: ({ status, body, headers = {} }) => {
    if (body === undefined || typeof body === 'string') return { status, headers, body: body ?? '' };
    return jsonReply(status, body, headers);
  },
  'too-large': ({ body = 'api' }, { api }) => (body === 'none' ? { status: 413, headers: {}, body: '' } : tooManyBytes(api)),
  'request-over-rate': overRate,
  'rate-limit': ({ retryAfterSeconds = 1 }, { api, model }) => ({
    status: 429,
    type: api === 'anthropic' ? 'rate_limit_error' : 'requests',
    code: 'rate_limit_exceeded',
    message:
      api === 'anthropic'
        ? 'This request would exceed your organization’s rate limit of 50 requests per minute. Please try again later.'
        : `Rate limit reached for ${model} on requests per min (RPM): Limit 60, Used 60, Requested 1. Please try again in 1s.`,
    ...(retryAfterSeconds === null ? {} : { headers: { 'retry-after': String(retryAfterSeconds) } }),
  }),
  'server-error': serverError,
  media: ({ reason = 'bytes' }, { api }) => ({
    status: 400,
    type: 'invalid_request_error',
    ...(api === 'anthropic' ? {} : { code: 'invalid_image' }),
    message: MEDIA_MESSAGES[reason],
  }),
  signature: (_, { thinkingPath }) => (thinkingPath === undefined ? undefined : foreignThinking(thinkingPath)),
  overflow: ({ numbers = true, limitTokens }, { api, tokens, windowTokens }) => {
    const limit = limitTokens ?? Math.min(windowTokens, tokens - 1);
    return overflowRefusal(api, { tokens, windowTokens: limit, numbers });
  },
  'output-cap': ({ availableTokens }, { api, tokens, outputTokens = 4_096 }) => {
    const windowTokens = tokens + (availableTokens ?? Math.floor(outputTokens / 2));
    return outputOverWindow(api, { tokens, outputTokens, windowTokens });
  },
};

/** The first refusing fault of a request, or undefined. */
export function refusingFault(faults: Faults, refused: Refused): Refusing | undefined {
  for (const [type, player] of Object.entries(PLAYERS)) {
    const fault = faults[type as Fault['type']];
    const played = fault === undefined ? undefined : (player as Player<Fault['type']>)(fault as never, refused);
    if (played === undefined) continue;
    if (!('message' in played)) return { reply: played };
    return { refusal: played, as: (fault as FaultPlace).as ?? 'status' };
  }
  return undefined;
}

/** Anthropic's words for a thinking block whose prefix is another one. */
export function foreignThinking(path: string): Refusal {
  const rest = 'Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".';
  return {
    status: 400,
    type: 'invalid_request_error',
    message: `${path}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation. ${rest}`,
  };
}

/** A credential that is missing or wrong. */
export function authRefusal(api: Api | undefined, status: 401 | 403, isMissing = false): Refusal {
  if (api === 'anthropic') {
    const message = status === 403 ? 'Your API key does not have permission to use the specified resource.' : 'invalid x-api-key';
    return { status, type: status === 403 ? 'permission_error' : 'authentication_error', message };
  }
  const words = isMissing ? "You didn't provide an API key." : 'Incorrect API key provided.';
  const message =
    status === 403 ? 'You are not allowed to use this model.' : `${words} You can find your API key in your account settings.`;
  return { status, type: 'invalid_request_error', code: status === 403 ? 'permission_denied' : 'invalid_api_key', message };
}

function overRate(fault: Extract<Fault, { type: 'request-over-rate' }>, { api, model, tokens }: Refused): Refusal {
  const { status = 429, limitTokens = Math.floor(tokens / 2) } = fault;
  if (api === 'anthropic') {
    const message = `This request would exceed your organization’s rate limit of ${limitTokens} input tokens per minute. Please reduce the prompt length.`;
    return { status, type: 'rate_limit_error', message };
  }
  const words = `Request too large for ${model} on tokens per min (TPM): Limit ${limitTokens}, Requested ${tokens}.`;
  const message = `${words} The input or output tokens must be reduced in order to run successfully.`;
  return { status, type: 'tokens', code: 'rate_limit_exceeded', message };
}

function serverError({ status = 500 }: Extract<Fault, { type: 'server-error' }>, { api }: Refused): Refusal {
  const isOverloaded = status === 529 || status === 503;
  if (api === 'anthropic') {
    return isOverloaded
      ? { status, type: 'overloaded_error', message: 'Overloaded' }
      : { status, type: 'api_error', message: 'Internal server error' };
  }
  const message = isOverloaded
    ? 'The server is currently overloaded with other requests. Sorry about that!'
    : 'The server had an error while processing your request. Sorry about that!';
  return { status, type: 'server_error', code: isOverloaded ? 'server_is_overloaded' : 'server_error', message };
}

const MEDIA_MESSAGES = {
  bytes: 'messages.0.content.0.image.source.base64: image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes',
  pixels: 'messages.0.content.0.image.source.base64.data: image dimensions exceed max allowed size: 8000 pixels',
  unreadable: 'Could not process image',
} as const;
