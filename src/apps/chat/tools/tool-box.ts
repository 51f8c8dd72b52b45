// The tools of all MCP servers under one roof: offered to the model under unique names, run by them.
import type { ToolSet } from 'ai';
import type { Log } from '../../../index.ts';
import type { McpServer } from '../config/schema.ts';
import type { Secrets } from '../config/secrets.ts';
import type { Sdk } from '../model/language-model.ts';
import { boundResult } from './bound-result.ts';
import { connectServer, type McpTool, type ServerConnection } from './mcp-server.ts';

export interface ToolBox {
  /** Grows when a server that was missing comes up. */
  readonly tools: ToolSet;
  /** Tries the servers that did not come up once more, now and then. Never throws. */
  lookForMissing(): Promise<void>;
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

/** How often servers that are missing are tried again, milliseconds. */
const LOOK_EVERY_MS = 60_000;

/** Servers start together. Those that do not come up are told and left out: a chat without one of its tools is better than none. */
export async function openToolBox({ servers, sdk, secrets, log, now }: ToolBoxOptions): Promise<ToolBox> {
  const closing = new AbortController();
  const connections: ServerConnection[] = [];
  const owners = new Map<string, Owner>();
  const tools: ToolSet = {};
  const missing = new Set(Object.keys(servers));
  let nextLookMs = now() + LOOK_EVERY_MS;

  const add = (server: string, connection: ServerConnection) => {
    missing.delete(server);
    connections.push(connection);
    for (const tool of connection.tools) {
      const name = uniqueName(`${server}_${tool.name}`, owners);
      owners.set(name, { connection, tool });
      tools[name] = sdk.tool({ description: tool.description, inputSchema: sdk.jsonSchema(tool.inputSchema) }) as ToolSet[string];
    }
  };
  /** Answers why those that are still missing are. */
  const startMissing = async (): Promise<readonly Failed[]> => {
    const names = [...missing];
    const surroundings = { secrets, log, now, closing: closing.signal };
    const starts = await Promise.allSettled(names.map((name) => connectServer(name, servers[name]!, surroundings)));
    return starts.flatMap((start, index) => {
      const server = names[index]!;
      if (start.status === 'rejected') return [{ server, reason: start.reason as Failed['reason'] }];
      add(server, start.value);
      return [];
    });
  };
  const close = async () => {
    closing.abort(new Error('The chat ends.'));
    await Promise.all(connections.map((connection) => connection.close()));
  };

  for (const { server, reason } of await startMissing()) {
    if (reason.code === 'option_invalid') {
      await close();
      throw reason;
    }
    log.write('error', 'An MCP server could not be started; its tools are missing.', { server, error: String(reason) });
  }
  return {
    tools,
    async lookForMissing() {
      if (missing.size === 0 || now() < nextLookMs) return;
      nextLookMs = Number.POSITIVE_INFINITY;
      const before = [...missing];
      await startMissing();
      nextLookMs = now() + LOOK_EVERY_MS;
      if (closing.signal.aborted) await close();
      for (const server of before)
        if (!missing.has(server)) log.write('info', 'An MCP server that was missing is there; its tools are, too.', { server });
    },
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
    close,
  };
}

interface Owner {
  readonly connection: ServerConnection;
  readonly tool: McpTool;
}

interface Failed {
  readonly server: string;
  readonly reason: Error & { readonly code?: string };
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
