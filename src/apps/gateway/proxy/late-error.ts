// An error that comes after the head was sent, as each API tells it inside a stream.
import type { Api } from '../../../core/transcript/entry.ts';
import { faultBody, type ToldFault } from '../fault.ts';
import { eventText } from './event-text.ts';

/** `told` is the body that an upstream sent, or a fault of ours. */
export function lateError(api: Api, told: { readonly text: string } | ToldFault): string {
  const body = 'text' in told ? parsedError(api, told.text) : faultBody(api, told);
  if (api === 'anthropic') return eventText('error', body);
  if (api === 'openai-chat') return eventText(undefined, body);
  const { code, message } = (body.error ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  const error = { code: code ?? 'server_error', message };
  const response = { id: 'resp_ullage_failed', object: 'response', status: 'failed', error, output: [] };
  return eventText('response.failed', { type: 'response.failed', sequence_number: 0, response });
}

/** The upstream's own error; what is none (a page of a proxy) becomes the message of one. */
function parsedError(api: Api, text: string): Record<string, unknown> {
  try {
    const parsed = JSON.parse(text) as Record<string, unknown> | null;
    if (typeof parsed === 'object' && parsed !== null && parsed.error !== undefined) return parsed;
  } catch {
    // Told as text.
  }
  const message = `The upstream answered: ${text.slice(0, 500)}`;
  if (api === 'anthropic') return { type: 'error', error: { type: 'api_error', message } };
  return { error: { message, type: 'server_error', param: null, code: null } };
}
