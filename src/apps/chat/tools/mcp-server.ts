// One MCP server: started or connected to, asked for its tools, called with a deadline.
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import type { JSONSchema7 } from 'ai';
import type { Log } from '../../../index.ts';
import type { McpServer } from '../config/schema.ts';
import type { Secrets } from '../config/secrets.ts';
import { loadPackage } from '../missing-package.ts';
import { KeptClient } from './kept-client.ts';
import { ProcessTransport } from './process-transport.ts';

export interface McpTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JSONSchema7;
}

export interface ServerConnection {
  readonly tools: readonly McpTool[];
  call(tool: string, input: unknown, signal: AbortSignal): Promise<{ readonly text: string; readonly isError: boolean }>;
  close(): Promise<void>;
}

interface Surroundings {
  readonly secrets: Secrets;
  readonly log: Log;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Whoever is being started then is given up. */
  readonly closing: AbortSignal;
}

const PURPOSE = 'A server in mcpServers';
const PACKAGE = '@modelcontextprotocol/sdk';
const CLIENT = { name: 'ullage', version: '1' };

/** Started within its deadline. Throws option_invalid for a missing package or variable; else what the server gave. */
export async function connectServer(name: string, server: McpServer, surroundings: Surroundings): Promise<ServerConnection> {
  const { log, now, closing } = surroundings;
  const connect = await connectorOf(name, server, surroundings);
  const { timeoutMs, startTimeoutMs } = server;
  const onGone = () => log.write('warn', 'An MCP server went away; the next call starts it again.', { server: name });
  const kept = new KeptClient({ name, connect, timeoutMs, onGone, now });
  const starting = AbortSignal.any([AbortSignal.timeout(startTimeoutMs), closing]);
  const tools = await kept
    .use(starting, (client) => listTools(client, { signal: starting, timeout: startTimeoutMs }))
    .catch(async (error: unknown) => {
      await kept.close();
      throw error;
    });
  return {
    tools: tools.map(({ name: tool, description = '', inputSchema }) => ({
      name: tool,
      description,
      inputSchema: inputSchema as JSONSchema7,
    })),
    async call(tool, input, signal) {
      const options = { timeout: timeoutMs, maxTotalTimeout: timeoutMs, signal: own(signal) };
      const result = await kept.use(signal, (client) => client.callTool({ name: tool, arguments: argumentsOf(input) }, undefined, options));
      return { text: contentText(result.content ?? result.structuredContent), isError: result.isError === true };
    },
    close: () => kept.close(),
  };
}

/** For one request: the SDK leaves its listeners on a signal, and a turn has many calls. */
const own = (signal: AbortSignal): AbortSignal => AbortSignal.any([signal]);

/** More pages than any server has: one that never ends its list is no reason to wait for ever. */
const MOST_PAGES = 100;

async function listTools(
  client: Client,
  { signal, timeout }: { readonly signal: AbortSignal; readonly timeout: number },
): Promise<readonly Tool[]> {
  const tools: Tool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const answer = await client.listTools(cursor === undefined ? undefined : { cursor }, { signal: own(signal), timeout });
    tools.push(...answer.tools);
    cursor = answer.nextCursor;
    if (cursor === undefined) break;
  }
  return tools;
}

async function connectorOf(name: string, server: McpServer, { secrets, closing }: Surroundings): Promise<() => Promise<Client>> {
  const { Client } = await loadPackage(PACKAGE, PURPOSE, () => import('@modelcontextprotocol/sdk/client/index.js'));
  const key = (member: string) => `mcpServers.${name}.${member}`;
  const options = () => ({ timeout: server.startTimeoutMs, signal: own(closing) });
  if ('url' in server) {
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
    const headers = Object.fromEntries(
      Object.entries(server.headers).map(([header, variable]) => [header, secrets.read(variable, key(`headers.${header}`))]),
    );
    return async () => {
      const client = new Client(CLIENT);
      await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } }) as never, options());
      return client;
    };
  }
  const { getDefaultEnvironment } = await import('@modelcontextprotocol/sdk/client/stdio.js');
  const common = getDefaultEnvironment();
  // What every process is given is no secret: to take a home folder out of answers would garble them.
  const asked = server.env.filter((variable) => common[variable] === undefined);
  const given = Object.fromEntries(asked.map((variable) => [variable, secrets.read(variable, key('env'))]));
  const { command, args, cwd } = server;
  return async () => {
    const client = new Client(CLIENT);
    await client.connect(new ProcessTransport({ command, args, cwd, env: { ...common, ...given } }), options());
    return client;
  };
}

function argumentsOf(input: unknown): Record<string, unknown> {
  return typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {};
}

/** Texts as they are; of everything else, what it is. */
function contentText(content: unknown): string {
  if (!Array.isArray(content)) return JSON.stringify(content) ?? '';
  return content
    .map(
      (part: {
        readonly type?: string;
        readonly text?: unknown;
        readonly mimeType?: string;
        readonly resource?: { readonly text?: string };
      }) => {
        if (typeof part.text === 'string') return part.text;
        if (typeof part.resource?.text === 'string') return part.resource.text;
        return `[${part.type ?? 'content'}${part.mimeType === undefined ? '' : ` ${part.mimeType}`}, not shown]`;
      },
    )
    .join('\n');
}
