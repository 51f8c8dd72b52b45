// The tools of all MCP servers under one roof: offered to the model under unique names, run by them.
import type { ToolSet } from 'ai';
import type { Log } from '../../../index.ts';
import type { McpServer } from '../config/schema.ts';
import type { Secrets } from '../config/secrets.ts';
import type { Sdk } from '../model/language-model.ts';
import { boundResult } from './bound-result.ts';
import { connectServer, type McpTool, type ServerConnection } from './mcp-server.ts';

export interface ToolBox {
  readonly tools: ToolSet;
  /** Never throws: what goes wrong is the result. */
  run(name: string, input: unknown, signal: AbortSignal): Promise<ToolRun>;
  close(): Promise<void>;
}

export interface ToolRun {
  readonly text: string;
  readonly isError: boolean;
}

export interface ToolBoxOptions {
  readonly servers: Readonly<Record<string, McpServer>>;
  readonly sdk: Sdk;
  readonly secrets: Secrets;
  readonly log: Log;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Servers start together. Those that do not come up are told and left out: a chat without one of its tools is better than none. */
export async function openToolBox(options: ToolBoxOptions): Promise<ToolBox> {
  const { sdk, secrets, log } = options;
  const started = await startServers(options);
  const connections = started.map(({ connection }) => connection);
  const owners = new Map<string, { readonly connection: ServerConnection; readonly tool: McpTool }>();
  for (const { name, connection } of started)
    for (const tool of connection.tools) owners.set(uniqueName(`${name}_${tool.name}`, owners), { connection, tool });
  const tools: ToolSet = {};
  for (const [name, { tool }] of owners)
    tools[name] = sdk.tool({ description: tool.description, inputSchema: sdk.jsonSchema(tool.inputSchema) }) as ToolSet[string];
  return {
    tools,
    async run(name, input, signal) {
      const owner = owners.get(name);
      if (owner === undefined) return { text: `There is no tool ${name}.`, isError: true };
      try {
        const result = await owner.connection.call(owner.tool.name, input, signal);
        return { text: boundResult(secrets.redact(result.text)), isError: result.isError };
      } catch (error) {
        signal.throwIfAborted();
        const reason = secrets.redact(error instanceof Error ? error.message : String(error));
        log.write('warn', 'A tool failed.', { tool: name, error: reason });
        return { text: `The tool ${name} failed: ${boundResult(reason)}`, isError: true };
      }
    },
    close: () => closeAll(connections),
  };
}

interface Started {
  readonly name: string;
  readonly connection: ServerConnection;
}

async function startServers({ servers, secrets, log, now }: ToolBoxOptions): Promise<readonly Started[]> {
  const names = Object.keys(servers);
  const starts = await Promise.allSettled(names.map((name) => connectServer(name, servers[name]!, { secrets, log, now })));
  const started = starts.flatMap((start, index) =>
    start.status === 'fulfilled' ? [{ name: names[index]!, connection: start.value }] : [],
  );
  for (const [index, start] of starts.entries()) {
    if (start.status === 'fulfilled') continue;
    const { reason } = start as { readonly reason: { readonly code?: string } };
    if (reason.code === 'option_invalid') {
      await closeAll(started.map(({ connection }) => connection));
      throw reason;
    }
    log.write('error', 'An MCP server could not be started; its tools are missing.', { server: names[index], error: String(reason) });
  }
  return started;
}

async function closeAll(connections: readonly ServerConnection[]): Promise<void> {
  await Promise.all(connections.map((connection) => connection.close()));
}

/** Longest name that all three APIs take. */
const LONGEST_NAME_CHARS = 64;

function uniqueName(wanted: string, taken: ReadonlyMap<string, unknown>): string {
  const base = wanted.replaceAll(/[^A-Za-z0-9_-]/g, '_');
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : `_${number}`;
    const name = base.slice(0, LONGEST_NAME_CHARS - suffix.length) + suffix;
    if (!taken.has(name)) return name;
  }
}
