// Every rule of an API that can be judged before anything is counted.
import type { Violation } from '../../core/codec.ts';
import type { Api } from '../../core/transcript/entry.ts';
import { validateAnthropic } from '../../wire/anthropic/validate.ts';
import { validateOpenaiChat } from '../../wire/openai-chat/validate.ts';
import { validateOpenaiResponses } from '../../wire/openai-responses/validate.ts';
import { type JsonObject, parseJson, type ValidateOptions } from '../../wire/rules.ts';
import { authRefusal } from './faults.ts';
import { invalidRequest, type Refusal } from './refusal.ts';
import type { ProviderRequest } from './request.ts';

const VALIDATORS: Readonly<Record<Api, (text: string, options: ValidateOptions) => readonly Violation[]>> = {
  anthropic: validateAnthropic,
  'openai-chat': validateOpenaiChat,
  'openai-responses': validateOpenaiResponses,
};

const JSON_MESSAGES: Readonly<Record<Api, string>> = {
  anthropic: 'The request body is not valid JSON: it must be one JSON object',
  'openai-chat': 'We could not parse the JSON body of your request. The API expects a JSON payload.',
  'openai-responses': 'We could not parse the JSON body of your request. The API expects a JSON payload.',
};

/** The first broken rule as a refusal, or undefined. */
export function checkStructure(request: ProviderRequest, rules: 'api' | 'openai' | 'local' | 'none'): Refusal | undefined {
  const { api, bytes, body } = request;
  if (api === undefined) return undefined;
  const text = decode(bytes);
  if (text === undefined || parseJson(text) === undefined) return invalidRequest(JSON_MESSAGES[api]);
  if (rules === 'none') return undefined;
  const missing = missingMember(api, request.kind, body);
  if (missing !== undefined) return missing;
  if (request.kind === 'compact' && body.input === undefined) return undefined;
  const [violation] = VALIDATORS[api](text, rules === 'api' ? {} : { strict: rules });
  return violation === undefined ? undefined : invalidRequest(violation.message, 400, violation.path || null);
}

/** A missing credential or version. */
export function checkHeaders({ api, headers }: ProviderRequest): Refusal | undefined {
  if (headers.authorization === undefined && headers['x-api-key'] === undefined && headers['api-key'] === undefined) {
    return authRefusal(api, 401, true);
  }
  const lacksVersion = api === 'anthropic' && headers['anthropic-version'] === undefined;
  return lacksVersion ? invalidRequest('anthropic-version: header is required') : undefined;
}

function missingMember(api: Api, kind: ProviderRequest['kind'], body: JsonObject): Refusal | undefined {
  if (typeof body.model !== 'string' || body.model === '') {
    return invalidRequest(api === 'anthropic' ? 'model: Field required' : 'you must provide a model parameter', 400, null);
  }
  const lacksMax = api === 'anthropic' && kind === 'generate' && body.max_tokens === undefined;
  return lacksMax ? invalidRequest('max_tokens: Field required') : undefined;
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
