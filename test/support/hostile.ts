// Histories as damaged clients send them, in the three formats: orphans, duplicates, late results, media, reasoning, nothing at all.
import type { Api } from '../../src/core/transcript/entry.ts';
import { prose } from './conversation.ts';
import { type Random, seededRandom } from './random.ts';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

interface Call {
  readonly id: string;
  readonly name: string;
}

export interface HostileOptions {
  /** False: nobody ever says anything. Default true. */
  readonly hasUsers?: boolean;
  /** False: pairs are whole, nothing is empty; only large, parallel and full of media. Default true. */
  readonly isDamaged?: boolean;
}

export interface Hostile {
  readonly messages: object[];
  /** Appends what a client does between two requests: at least one message, the last of which is not the assistant's. */
  grow(): void;
}

export function makeHostile(api: Api, seed: number, options: HostileOptions = {}): Hostile {
  const random = seededRandom(seed * 7919 + 1);
  const { hasUsers = true, isDamaged = true } = options;
  const write = WRITERS[api];
  const messages: object[] = [];
  let number = 0;
  const open: Call[] = [];
  // Calls that a person has spoken after: their results are late. Before that they are only slow.
  const settled: Call[] = [];
  /** At random, in damaged histories only. */
  const some = (share: number): boolean => isDamaged && random.next() < share;
  const user = (): void => {
    if (!hasUsers) return;
    settled.push(...open.splice(0));
    const kind = random.next();
    if (some(0.08)) messages.push(...write.emptyUser(random));
    else if (kind < 0.12) messages.push(...write.image(`Look at this ${number}`));
    else if (kind < 0.16) messages.push(...write.user(prose(random, 3_000)));
    else messages.push(...write.user(`Ask ${number++}: mend ${prose(random, random.int(3, 40))}`));
    if (some(0.06)) messages.push(...write.system(`Today is day ${number}.`));
  };
  const step = (isLast = false): void => {
    const count = random.next() < 0.1 ? 10 : random.int(isLast ? 1 : 0, 3);
    const calls: Call[] = [];
    for (let index = 0; index < count; index++) {
      if (some(0.04)) calls.push({ id: `n${number}_${index}`, name: '' });
      else if (some(0.05) && index > 0) calls.push(calls[0]!);
      else calls.push({ id: `c${number}_${index}_${random.int(0, 999)}`, name: random.pick(['read', 'bash', 'write_file']) });
    }
    number++;
    if (some(0.05) && count === 0) messages.push(...write.emptyAssistant(random));
    else messages.push(...write.assistant({ say: random.next() < 0.7 ? `Step ${number} ${prose(random, 8)}` : '', calls, random }));
    const answered = calls.filter((_, index) => !some(0.12) || (isLast && index === 0));
    const results = some(0.1) ? [...answered].reverse() : answered;
    if (some(0.05)) results.push({ id: `orphan${number}`, name: 'read' });
    if (some(0.06) && results.length > 0) results.push(results[0]!);
    messages.push(...write.results(results, { random, text: some(0.1) && hasUsers ? 'and stop' : undefined }));
    open.push(...calls.filter((call) => !answered.includes(call)));
    if (some(0.2) && settled.length > 0) messages.push(...write.results([settled.pop()!], { random }));
  };
  return {
    messages,
    grow() {
      const before = messages.length;
      if (random.next() < 0.6) user();
      for (let steps = random.int(1, 4); steps > 0; steps--) step();
      if (random.next() < 0.5) messages.push(...write.assistant({ say: `Done ${number}`, calls: [], random }));
      user();
      if (messages.length === before || isOpen(messages.at(-1)!)) step(true);
    },
  };
}

/** A request ends with something for the model to answer. */
function isOpen(message: object): boolean {
  const { role, type } = message as { role?: string; type?: string };
  return role === 'assistant' || role === 'system' || role === 'developer' || type === 'function_call' || type === 'reasoning';
}

interface Answer {
  readonly say: string;
  readonly calls: readonly Call[];
  readonly random: Random;
}

interface Writer {
  user(text: string): readonly object[];
  image(text: string): readonly object[];
  emptyUser(random: Random): readonly object[];
  system(text: string): readonly object[];
  assistant(answer: Answer): readonly object[];
  emptyAssistant(random: Random): readonly object[];
  results(calls: readonly Call[], extra: { readonly random: Random; readonly text?: string }): readonly object[];
}

function resultText(random: Random): string {
  const kind = random.next();
  if (kind < 0.08) return '';
  if (kind < 0.12) return `Error: ENOENT x${random.int(0, 99)}\n${prose(random, 20)}`;
  return prose(random, kind < 0.2 ? 600 : random.int(1, 120));
}

const args = (call: Call): object => ({ path: `src/${call.id}.ts` });

const anthropic: Writer = {
  user: (text) => [{ role: 'user', content: text }],
  image: (text) => [
    {
      role: 'user',
      content: [
        { type: 'text', text },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
      ],
    },
  ],
  emptyUser: (random) => [
    random.pick([
      { role: 'user', content: ' ' },
      { role: 'user', content: '' },
      { role: 'user', content: [] },
    ]),
  ],
  system: (text) => [{ role: 'system', content: text }],
  assistant: ({ say, calls, random }) => {
    const thinking = { type: 'thinking', thinking: prose(random, 10), signature: `sig${random.int(0, 9_999)}` };
    const content = [
      ...(random.next() < 0.4 ? [thinking] : []),
      ...(say === '' ? [] : [{ type: 'text', text: say }]),
      ...calls.map((call) => ({ type: 'tool_use', id: call.id, name: call.name, input: args(call) })),
    ];
    return [{ role: 'assistant', content: content.length === 0 ? 'ok' : content }];
  },
  emptyAssistant: (random) => [
    random.pick<object>([
      { role: 'assistant', content: [{ type: 'thinking', thinking: 'hm', signature: 'sig' }] },
      { role: 'assistant', content: [{ type: 'text', text: '' }] },
      { role: 'assistant', content: null },
    ]),
  ],
  results: (calls, { random, text }) => {
    const blocks = calls.map((call) => {
      const content: unknown =
        random.next() < 0.1
          ? [
              { type: 'text', text: 'seen' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
            ]
          : resultText(random);
      return { type: 'tool_result', tool_use_id: call.id, content };
    });
    const content = [...blocks, ...(text === undefined ? [] : [{ type: 'text', text }])];
    return content.length === 0 ? [] : [{ role: 'user', content }];
  },
};

const chat: Writer = {
  user: (text) => [{ role: 'user', content: text }],
  image: (text) => [
    {
      role: 'user',
      content: [
        { type: 'text', text },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
      ],
    },
  ],
  emptyUser: (random) => [
    random.pick<object>([
      { role: 'user', content: '' },
      { role: 'user', content: null },
      { role: 'user', content: [] },
    ]),
  ],
  system: (text) => [{ role: 'system', content: text }],
  assistant: ({ say, calls, random }) => {
    const tool_calls = calls.map((call) => ({
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: random.next() < 0.05 ? '' : JSON.stringify(args(call)) },
    }));
    const reasoning = random.next() < 0.2 ? { reasoning_content: prose(random, 10) } : {};
    const content = say === '' ? (calls.length === 0 ? 'ok' : null) : say;
    return [{ role: 'assistant', content, ...reasoning, ...(calls.length === 0 ? {} : { tool_calls }) }];
  },
  emptyAssistant: (random) => [
    random.pick<object>([
      { role: 'assistant', content: '' },
      { role: 'assistant', content: null },
    ]),
  ],
  results: (calls, { random, text }) => [
    ...calls.map((call) => ({ role: 'tool', tool_call_id: call.id, content: resultText(random) })),
    ...(text === undefined ? [] : [{ role: 'user', content: text }]),
  ],
};

const responses: Writer = {
  user: (text) => [{ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }],
  image: (text) => [
    {
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_text', text },
        { type: 'input_image', image_url: `data:image/png;base64,${PIXEL}` },
      ],
    },
  ],
  emptyUser: (random) => [
    random.pick<object>([
      { type: 'message', role: 'user', content: '' },
      { type: 'message', role: 'user', content: [] },
    ]),
  ],
  system: (text) => [{ type: 'message', role: 'developer', content: [{ type: 'input_text', text }] }],
  assistant: ({ say, calls, random }) => [
    ...(random.next() < 0.3
      ? [{ type: 'reasoning', id: `rs_${random.int(0, 999_999)}`, summary: [], encrypted_content: prose(random, 8) }]
      : []),
    ...(say === '' && calls.length > 0
      ? []
      : [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: say === '' ? 'ok' : say }] }]),
    ...calls.map((call) => ({ type: 'function_call', call_id: call.id, name: call.name, arguments: JSON.stringify(args(call)) })),
  ],
  emptyAssistant: () => [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: '' }] }],
  results: (calls, { random, text }) => [
    ...calls.map((call) => ({ type: 'function_call_output', call_id: call.id, output: resultText(random) })),
    ...(text === undefined ? [] : responses.user(text)),
  ],
};

const WRITERS: Readonly<Record<Api, Writer>> = { anthropic, 'openai-chat': chat, 'openai-responses': responses };
