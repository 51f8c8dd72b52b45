// Every rule of an API that can be judged before anything is counted.
import type { Violation } from '../../core/codec.ts';
import type { Api } from '../../core/transcript/entry.ts';
import { validateAnthropic } from '../../wire/anthropic/validate.ts';
import { validateOpenaiChat } from '../../wire/openai-chat/validate.ts';
import { validateOpenaiResponses } from '../../wire/openai-responses/validate.ts';
import { isObject, type JsonObject, listOf, stringOf, type ValidateOptions } from '../../wire/rules.ts';
import { authRefusal } from './faults.ts';
import type { StrictProviderOptions } from './options.ts';
import { invalidRequest, type Refusal } from './refusal.ts';
import type { ProviderRequest } from './request.ts';

type Rules = NonNullable<StrictProviderOptions['rules']>;

const VALIDATORS: Readonly<Record<Api, (text: string, options: ValidateOptions) => readonly Violation[]>> = {
  anthropic: validateAnthropic,
  'openai-chat': validateOpenaiChat,
  'openai-responses': validateOpenaiResponses,
};

/** The first broken rule as a refusal, or undefined. */
export function checkStructure(request: ProviderRequest, rules: Rules): Refusal | undefined {
  const { api, bytes, body, kind } = request;
  if (api === undefined) return undefined;
  const text = decode(bytes);
  if (text === undefined || Object.keys(body).length === 0) return invalidJson(api);
  if (rules === 'none') return undefined;
  const members = checkMembers(api, kind, body);
  if (members !== undefined) return members;
  return checkRules(api, text, rules);
}

/** The first rule of the transcript that is broken. */
export function checkRules(api: Api, text: string, rules: Exclude<Rules, 'none'> = 'api'): Refusal | undefined {
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

function invalidJson(api: Api): Refusal {
  if (api === 'anthropic') return invalidRequest('The request body is not valid JSON: it must be one JSON object');
  return invalidRequest('We could not parse the JSON body of your request. The API expects a JSON payload.');
}

function checkMembers(api: Api, kind: ProviderRequest['kind'], body: JsonObject): Refusal | undefined {
  const hasModel = typeof body.model === 'string' && body.model !== '';
  if (api !== 'anthropic') return hasModel ? checkOpenaiMembers(api, body) : invalidRequest('you must provide a model parameter');
  if (!hasModel) return invalidRequest('model: Field required');
  if (kind !== 'generate') return undefined;
  if (body.max_tokens === undefined) return invalidRequest('max_tokens: Field required');
  const isPositive = typeof body.max_tokens === 'number' && body.max_tokens >= 1;
  return isPositive
    ? (checkBudget(body) ?? checkCompaction(body))
    : invalidRequest('max_tokens: Input should be greater than or equal to 1');
}

/** The smallest budget for thinking the API takes. */
const MIN_BUDGET_TOKENS = 1_024;

function checkBudget({ thinking, max_tokens }: JsonObject): Refusal | undefined {
  const budget = isObject(thinking) && thinking.type === 'enabled' ? thinking.budget_tokens : undefined;
  if (typeof budget !== 'number') return undefined;
  if (budget < MIN_BUDGET_TOKENS) {
    return invalidRequest(`thinking.enabled.budget_tokens: Input should be greater than or equal to ${MIN_BUDGET_TOKENS}`);
  }
  return budget < Number(max_tokens) ? undefined : invalidRequest('`max_tokens` must be greater than `thinking.budget_tokens`.');
}

function checkCompaction(body: JsonObject): Refusal | undefined {
  const isAsked = isObject(body.compaction) && body.compaction.type === 'summarize';
  const hasEdits = isObject(body.context_management) && listOf(body.context_management.edits).length > 0;
  return isAsked && hasEdits ? invalidRequest('compaction: cannot be combined with context_management') : undefined;
}

/** Names that tell users and prompts apart may not be longer. */
const MAX_KEY_LENGTH = 64;

function checkOpenaiMembers(api: Api, body: JsonObject): Refusal | undefined {
  if (api === 'openai-chat' && isObject(body.stream_options) && body.stream !== true) {
    return invalidRequest("The 'stream_options' parameter is only allowed when 'stream' is enabled.", 400, 'stream_options');
  }
  for (const key of ['prompt_cache_key', 'safety_identifier', 'user']) {
    const length = stringOf(body[key])?.length ?? 0;
    if (length <= MAX_KEY_LENGTH) continue;
    const words = `Expected a string with maximum length ${MAX_KEY_LENGTH}, but got a string with length ${length} instead.`;
    return { ...invalidRequest(`Invalid '${key}': string too long. ${words}`, 400, key), code: 'string_above_max_length' };
  }
  return undefined;
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
