// One MCP server: started or connected to, asked for its tools, called with a deadline. One that died is started again at the next call.
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { JSONSchema7 } from 'ai';
import type { Log } from '../../../index.ts';
import type { McpServer } from '../config/schema.ts';
import type { Secrets } from '../config/secrets.ts';
import { loadPackage } from '../missing-package.ts';
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
}

const PURPOSE = 'A server in mcpServers';
const PACKAGE = '@modelcontextprotocol/sdk';
const CLIENT = { name: 'ullage', version: '1' };

/** Throws option_invalid for a missing package or variable; else what the server gave. */
export async function connectServer(name: string, server: McpServer, { secrets, log }: Surroundings): Promise<ServerConnection> {
  const connect = await connectorOf(name, server, secrets);
  let client: Client | undefined = await connect();
  const { tools } = await client.listTools(undefined, { timeout: server.timeoutMs });
  const watch = (watched: Client) => {
    watched.onclose = () => {
      if (client === watched) client = undefined;
      log.write('warn', 'An MCP server went away; the next call starts it again.', { server: name });
    };
  };
  watch(client);
  return {
    tools: tools.map(({ name: tool, description = '', inputSchema }) => ({
      name: tool,
      description,
      inputSchema: inputSchema as JSONSchema7,
    })),
    async call(tool, input, signal) {
      if (client === undefined) {
        client = await connect();
        watch(client);
      }
      const options = { timeout: server.timeoutMs, maxTotalTimeout: server.timeoutMs, signal };
      const result = await client.callTool({ name: tool, arguments: argumentsOf(input) }, undefined, options);
      return { text: contentText(result.content ?? result.structuredContent), isError: result.isError === true };
    },
    async close() {
      const closing = client;
      client = undefined;
      if (closing !== undefined) closing.onclose = undefined;
      await closing?.close().catch(() => {});
    },
  };
}

async function connectorOf(name: string, server: McpServer, secrets: Secrets): Promise<() => Promise<Client>> {
  const { Client } = await loadPackage(PACKAGE, PURPOSE, () => import('@modelcontextprotocol/sdk/client/index.js'));
  const key = (member: string) => `mcpServers.${name}.${member}`;
  const timeout = { timeout: server.timeoutMs };
  if ('url' in server) {
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
    const headers = Object.fromEntries(
      Object.entries(server.headers).map(([header, variable]) => [header, secrets.read(variable, key(`headers.${header}`))]),
    );
    return async () => {
      const client = new Client(CLIENT);
      await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } }) as never, timeout);
      return client;
    };
  }
  const { getDefaultEnvironment } = await import('@modelcontextprotocol/sdk/client/stdio.js');
  const given = Object.fromEntries(server.env.map((variable) => [variable, secrets.read(variable, key('env'))]));
  const { command, args, cwd } = server;
  return async () => {
    const client = new Client(CLIENT);
    await client.connect(new ProcessTransport({ command, args, cwd, env: { ...getDefaultEnvironment(), ...given } }), timeout);
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
