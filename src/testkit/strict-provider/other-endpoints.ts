// Everything that is not a request for an answer: a count, a compaction, the list of models, a path nobody serves.
import { isObject } from '../../wire/rules.ts';
import { checkRequest } from './check.ts';
import { checkLimits } from './limits.ts';
import { readInput } from './read-input.ts';
import { idHeaders, invalidRequest, refusalReply } from './refusal.ts';
import { jsonReply, type Reply } from './reply.ts';
import type { OpenRequest } from './request.ts';
import { inputItems } from './stored-responses.ts';
import type { World } from './world.ts';

/** Output tokens a compaction is billed with. */
const COMPACTION_TOKENS = 200;

/** The reply of any endpoint but those that ask for an answer. */
export function otherReply(world: World, request: OpenRequest): Reply {
  if (request.kind === 'count-tokens') return countTokens(world, request);
  if (request.kind === 'compact') return compact(world, request);
  if (request.kind === 'models') return listModels(world);
  const path = request.path.split('?', 1)[0]!;
  if (request.method === 'HEAD' && path === '/') return { status: 200, headers: {}, body: '' };
  return refusalReply(request.api, invalidRequest(`Invalid URL (${request.method} ${path})`, 404), world.nextId());
}

function countTokens(world: World, request: OpenRequest): Reply {
  const id = world.nextId();
  const checked = checkRequest(world, request);
  if ('refusal' in checked) return refusalReply(request.api, checked.refusal, id);
  const original = isObject(checked.body.context_management)
    ? { context_management: { original_input_tokens: checked.originalTokens } }
    : {};
  return jsonReply(200, { input_tokens: request.tokens, ...original }, idHeaders(request.api, id));
}

/** The user messages and one opaque item. The input must still fit the window. */
function compact(world: World, request: OpenRequest): Reply {
  const id = world.nextId();
  const checked = checkRequest(world, request);
  if ('refusal' in checked) return refusalReply(request.api, checked.refusal, id);
  const { api, body, model } = checked;
  const limit = checkLimits({ api, model: request.model, tokens: request.tokens, asked: undefined }, model);
  if (limit !== undefined) return refusalReply(api, limit.refusal, id);
  const read = readInput(world, request, checked);
  const output = { outputTokens: COMPACTION_TOKENS, thinkingTokens: 0 };
  world.account.add(read, output.outputTokens, model.prices);
  const users = inputItems(body).filter((item) => isObject(item) && item.role === 'user');
  const item = { type: 'compaction', id: `cmp_${id}`, encrypted_content: Buffer.from(`compaction ${id}`).toString('base64url') };
  const created = Math.floor(world.settings.clock.now() / 1_000);
  const head = { id: `resp_${id}`, object: 'response.compaction', created_at: created };
  return jsonReply(200, { ...head, output: [...users, item], ...world.usage.of(api, read, output) }, idHeaders(api, id));
}

/** Those the options name; one made-up name when they name none. */
function listModels({ settings }: World): Reply {
  const named = Object.keys(settings.options.models ?? {});
  const names = named.length === 0 ? ['strict-model'] : named;
  const data = names.map((id) => ({ id, object: 'model', type: 'model', display_name: id, created: 0, owned_by: 'strict-provider' }));
  return jsonReply(200, { object: 'list', data, has_more: false, first_id: names[0], last_id: names.at(-1) });
}
