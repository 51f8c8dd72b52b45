// A folder for the files of one test file, and transcripts to fill it with.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import type { Api } from '../../../../core/transcript/entry.ts';
import { convertMessages } from '../../../../wire/convert.ts';

export interface Scratch {
  readonly folder: string;
  /** The absolute path of a name in the folder. */
  path(name: string): string;
  /** Writes a file and returns its path. */
  write(name: string, content: string | Buffer): string;
}

/** Removed when the tests of the file are over. */
export function scratchFolder(): Scratch {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'ullage-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const inside = (name: string) => path.join(folder, name);
  return {
    folder,
    path: inside,
    write(name, content) {
      writeFileSync(inside(name), content);
      return inside(name);
    },
  };
}

const LINES = 60;

/** A Chat body of an agent that reads `steps` files and is asked one thing more; about 800 tokens a step. */
export function agentBody(steps: number): string {
  const messages: object[] = [
    { role: 'system', content: 'You mend builds.' },
    { role: 'user', content: 'Find why the nightly build fails. Never push to main.' },
  ];
  for (let step = 1; step <= steps; step += 1) {
    const call = {
      id: `call_${step}`,
      type: 'function',
      function: { name: 'read', arguments: JSON.stringify({ path: `src/part-${step}.ts` }) },
    };
    const lines = Array.from(
      { length: LINES },
      (_, line) => `line ${line} of part ${step}: queueDepth${step}x${line} is ${(line * step * 37) % 1000}`,
    );
    messages.push({ role: 'assistant', content: `Reading part ${step}.`, tool_calls: [call] });
    messages.push({ role: 'tool', tool_call_id: call.id, content: lines.join('\n') });
  }
  messages.push({ role: 'assistant', content: 'The parts are read.' }, { role: 'user', content: 'And now?' });
  return JSON.stringify({ model: 'gpt-4o', messages, seed: 12345678901234567890n.toString() }).replace(
    '"12345678901234567890"',
    '12345678901234567890',
  );
}

/** The same conversation in each of the three formats. */
export function agentBodyOf(api: Api, steps: number): string {
  const chat = JSON.parse(agentBody(steps)) as { messages: { role: string; content: string }[] };
  if (api === 'openai-chat') return JSON.stringify({ model: 'gpt-4o', messages: chat.messages });
  const [system, ...messages] = chat.messages;
  const converted = convertMessages(
    'openai-chat',
    api,
    messages.map((message) => JSON.stringify(message)),
  ).map((raw) => JSON.parse(raw) as object);
  if (api === 'openai-responses') return JSON.stringify({ model: 'gpt-5', instructions: system?.content, input: converted });
  return JSON.stringify({ model: 'claude-sonnet-4-5', max_tokens: 2_000, system: system?.content, messages: converted });
}
