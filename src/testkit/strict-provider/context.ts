// What surrounds an answer in the shapes of the APIs: ids, the model's name, what is repeated of the request.
import { isObject } from '../../wire/rules.ts';
import type { OpenRequest } from './request.ts';
import type { World } from './world.ts';
import type { AnswerContext } from './write.ts';

/** Members of a request that the Responses API repeats. */
const ECHOED = [
  'instructions',
  'metadata',
  'parallel_tool_calls',
  'temperature',
  'tool_choice',
  'tools',
  'top_p',
  'previous_response_id',
  'store',
];
const ECHO_DEFAULTS = {
  instructions: null,
  metadata: {},
  parallel_tool_calls: true,
  tool_choice: 'auto',
  tools: [],
  previous_response_id: null,
};

/** The context of one answer; what is given replaces the empty seal, notes and usage. */
export function contextOf(world: World, request: OpenRequest, given: { readonly id: string } & Partial<AnswerContext>): AnswerContext {
  const { body } = request;
  const repeated = ECHOED.flatMap((key) => (body[key] === undefined ? [] : [[key, body[key]] as const]));
  return {
    model: request.model,
    createdAtSeconds: Math.floor(world.settings.clock.now() / 1_000),
    includeUsage: isObject(body.stream_options) && body.stream_options.include_usage === true,
    chunkChars: world.settings.chunkChars,
    echo: request.api === 'openai-responses' ? { ...ECHO_DEFAULTS, ...Object.fromEntries(repeated) } : {},
    seal: '',
    notes: {},
    usage: {},
    ...given,
  };
}
