// Conversations of a coding agent in the three formats: asks, parallel tool calls, results of all sizes, answers.
import type { Api } from '../../src/core/transcript/entry.ts';
import { type Random, seededRandom } from './random.ts';

export interface Turn {
  readonly ask: string;
  readonly steps: readonly {
    readonly say: string;
    readonly calls: readonly { readonly id: string; readonly path: string; readonly result: string }[];
  }[];
  readonly answer: string;
}

const WORDS = 'build failed module parser token socket retry cache index worker queue commit branch render schema header'.split(' ');

export function prose(random: Random, words: number): string {
  return Array.from({ length: words }, () => `${random.pick(WORDS)}${random.int(0, 999)}`).join(' ');
}

export function makeTurn(random: Random, number: number, size: { readonly steps: number; readonly resultWords: number }): Turn {
  const steps = Array.from({ length: size.steps }, (_, step) => ({
    say: `Looking at part ${number}.${step}. ${prose(random, 6)}`,
    calls: Array.from({ length: random.int(1, 3) }, (_, call) => ({
      id: `call_${number}_${step}_${call}`,
      path: `src/part-${number}/file-${step}-${call}.ts`,
      result: prose(random, random.int(1, size.resultWords)),
    })),
  }));
  const rule = number === 0 ? ' Never push to main.' : '';
  return { ask: `Ask ${number}: mend ${prose(random, 8)}.${rule}`, steps, answer: `Done with ${number}: ${prose(random, 12)}` };
}

/** Messages of one turn in an API's own format. */
export function encodeTurn(api: Api, turn: Turn): readonly object[] {
  return [...encodeAsk(api, turn.ask), ...turn.steps.flatMap((step) => encodeStep(api, step)), ...encodeAnswer(api, turn.answer)];
}

export function encodeAsk(api: Api, ask: string): readonly object[] {
  if (api === 'openai-responses') return [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: ask }] }];
  return [{ role: 'user', content: ask }];
}

export function encodeAnswer(api: Api, text: string): readonly object[] {
  if (api === 'openai-responses') return [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }];
  return [{ role: 'assistant', content: text }];
}

function encodeStep(api: Api, step: Turn['steps'][number]): readonly object[] {
  const args = (path: string) => JSON.stringify({ path });
  if (api === 'openai-chat') {
    const calls = step.calls.map((call) => ({ id: call.id, type: 'function', function: { name: 'read', arguments: args(call.path) } }));
    const results = step.calls.map((call) => ({ role: 'tool', tool_call_id: call.id, content: call.result }));
    return [{ role: 'assistant', content: step.say, tool_calls: calls }, ...results];
  }
  if (api === 'anthropic') {
    const calls = step.calls.map((call) => ({ type: 'tool_use', id: call.id, name: 'read', input: { path: call.path } }));
    const results = step.calls.map((call) => ({ type: 'tool_result', tool_use_id: call.id, content: call.result }));
    return [
      { role: 'assistant', content: [{ type: 'text', text: step.say }, ...calls] },
      { role: 'user', content: results },
    ];
  }
  const calls = step.calls.map((call) => ({ type: 'function_call', call_id: call.id, name: 'read', arguments: args(call.path) }));
  const results = step.calls.map((call) => ({ type: 'function_call_output', call_id: call.id, output: call.result }));
  return [...encodeAnswer(api, step.say), ...calls, ...results];
}

/** A request body that ends in an ask. */
export function bodyOf(api: Api, messages: readonly object[]): Record<string, unknown> {
  const tools = [{ name: 'read', description: 'Reads a file.', input_schema: { type: 'object' } }];
  if (api === 'anthropic') return { model: 'm', max_tokens: 1_000, system: 'You mend builds.', tools, messages };
  if (api === 'openai-chat') return { model: 'm', messages: [{ role: 'system', content: 'You mend builds.' }, ...messages] };
  return { model: 'm', instructions: 'You mend builds.', input: messages };
}

export interface Conversation {
  readonly api: Api;
  readonly messages: object[];
  /** Appends one whole turn. */
  grow(size?: { readonly steps: number; readonly resultWords: number }): void;
  /** The body of a request that asks for the next thing. */
  ask(): Record<string, unknown>;
}

/** Grows turn by turn; `ask` appends the next ask for good. */
export function makeConversation(api: Api, seed: number): Conversation {
  const random = seededRandom(seed);
  const messages: object[] = [];
  let number = 0;
  return {
    api,
    messages,
    grow(size = { steps: 3, resultWords: 200 }) {
      messages.push(...encodeTurn(api, makeTurn(random, number++, size)));
    },
    ask() {
      messages.push(...encodeAsk(api, `Question ${number}: go on with ${prose(random, 4)}`));
      const body = bodyOf(api, [...messages]);
      messages.push(...encodeAnswer(api, `Answer ${number}: ${prose(random, 5)}`));
      number++;
      return body;
    },
  };
}

export function messagesOf(body: unknown): readonly Record<string, unknown>[] {
  const { messages, input } = body as { messages?: readonly Record<string, unknown>[]; input?: readonly Record<string, unknown>[] };
  return messages ?? input ?? [];
}
