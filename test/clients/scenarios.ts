// What a real client is put through: itself, the real gateway on a real file, the strict provider behind it.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sqliteStore } from '../../src/adapters/sqlite/index.ts';
import { createGateway, type Gateway } from '../../src/apps/gateway/gateway.ts';
import type { ProviderRequest, ScriptedAnswer, StrictProvider, StrictProviderOptions } from '../../src/testkit/index.ts';
import { strictProvider } from '../../src/testkit/index.ts';
import type { RealClient } from './real-clients.ts';
import type { ProgramRun } from './run-program.ts';

export interface Scene {
  readonly provider: StrictProvider;
  /** The one of now: another after `restart`. */
  readonly gateway: Gateway;
  restart(): Promise<void>;
  /** One turn of the client in its one home folder; goes on with the session from the second turn on. */
  turn(prompt: string): Promise<ProgramRun>;
  /** What the gateway's own API answers. */
  ask(path: string): Promise<unknown>;
}

export interface SceneOptions {
  readonly client: RealClient;
  readonly provider?: StrictProviderOptions;
  /** Window that the gateway is told, tokens. */
  readonly windowTokens?: number;
}

export async function withScene<T>(
  { client, provider: given, windowTokens }: SceneOptions,
  work: (scene: Scene) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'ullage-client-'));
  const provider = await strictProvider({ answer: () => 'The answer is forty-two.', ...given });
  const open = () =>
    createGateway({
      store: sqliteStore(path.join(folder, 'gateway.db')),
      port: 0,
      upstreamOpenai: provider.url,
      upstreamAnthropic: provider.url,
      ...(windowTokens === undefined ? {} : { models: { window: windowTokens } }),
    });
  let gateway = await open();
  let turns = 0;
  try {
    return await work({
      provider,
      get gateway() {
        return gateway;
      },
      async restart() {
        await gateway.close();
        gateway = await open();
      },
      turn(prompt) {
        turns += 1;
        return client.run({ url: gateway.url, prompt, home: path.join(folder, 'home'), isResumed: turns > 1 });
      },
      ask: async (route) => (await fetch(`${gateway.url}/ullage/v1/${route}`)).json(),
    });
  } finally {
    await gateway.close();
    await provider.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The shell tool of each client, with arguments that print a word. */
export function shellCall(request: ProviderRequest, word: string): ScriptedAnswer | undefined {
  const command = `echo ${word}`;
  const calls: Readonly<Record<string, unknown>> = {
    Bash: { command, description: 'Prints a word' },
    bash: { command, description: 'Prints a word' },
    exec_command: { cmd: command },
    shell_command: { command },
    shell: { command: ['bash', '-lc', command] },
  };
  const name = Object.keys(calls).find((tool) =>
    JSON.stringify((request.body as { tools?: unknown })?.tools ?? []).includes(`"name":"${tool}"`),
  );
  return name === undefined ? undefined : { toolCalls: [{ name, arguments: calls[name] }] };
}

/** Requests for an answer, without the client's own title generator (it declares no tools). */
export function mainRequests(provider: StrictProvider): readonly ProviderRequest[] {
  return provider.requests.filter(({ number, body }) => {
    const tools = (body as { tools?: readonly unknown[] } | undefined)?.tools;
    return number !== undefined && (tools?.length ?? 0) > 0;
  });
}

/** Plain prose of about so many tokens, other words in each part. */
export function prose(part: number, tokens: number): string {
  const sentence = (index: number) =>
    `In part ${part} the record ${index} names harbour-${part}-${index} and says that the boats wait for wind. `;
  const sentences: string[] = [];
  for (let index = 0, chars = 0; chars < tokens * 4; index++) {
    sentences.push(sentence(index));
    chars += sentence(index).length;
  }
  return sentences.join('');
}
