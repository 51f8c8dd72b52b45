// An error that comes after the head was sent, as each API tells it inside a stream.
import type { Api } from '../../../core/transcript/entry.ts';
import { faultBody, type ToldFault } from '../fault.ts';
import { eventText } from './event-text.ts';

/** What an upstream answered that is no stream. */
export interface WholeText {
  readonly status: number;
  readonly text: string;
}

/** An answer that is no error is told as one, too: whoever reads a stream finds nothing in it. */
export function lateError(api: Api, told: WholeText | ToldFault): string {
  const body = 'text' in told ? upstreamError(api, told) : faultBody(api, told);
  if (api === 'anthropic') return eventText('error', body);
  if (api === 'openai-chat') return eventText(undefined, body);
  const { code, message } = (body.error ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  const error = { code: code ?? 'server_error', message };
  const response = { id: 'resp_ullage_failed', object: 'response', status: 'failed', error, output: [] };
  return eventText('response.failed', { type: 'response.failed', sequence_number: 0, response });
}

/** The upstream's own error; what is none (a page of a proxy) becomes the message of one. */
function upstreamError(api: Api, { status, text }: WholeText): Record<string, unknown> {
  const own = status >= 400 ? parsedError(text) : undefined;
  if (own) return own;
  const message = `The upstream answered with status ${status} and no stream: ${text.slice(0, 500)}`;
  if (api === 'anthropic') return { type: 'error', error: { type: 'api_error', message } };
  return { error: { message, type: 'server_error', param: null, code: null } };
}

function parsedError(text: string): Record<string, unknown> | undefined {
  try {
    const parsed = JSON.parse(text) as Record<string, unknown> | null;
    return parsed?.error === undefined ? undefined : parsed;
  } catch {
    return undefined;
  }
}
