// Serves the two tools over standard input and output until the client goes away.
import { UllageError } from '../../../core/errors.ts';
import type { CommandContext } from '../command.ts';
import type { McpFlags } from '../commands/mcp.ts';
import { openDatabase } from '../shared/database.ts';
import { packageVersion } from '../version.ts';
import { type RecallTools, recallTools } from './recall-tools.ts';

export async function runMcp(flags: McpFlags, { terminal }: CommandContext): Promise<void> {
  const sdk = await loadSdk();
  // An agent may start its tools before its first request: the database may be created by either.
  const store = await openDatabase(flags.db, { mustExist: false });
  const { tenant, session } = flags;
  const server = makeServer(sdk, recallTools(store, { tenant, onlySession: session }));
  try {
    const transport = new sdk.StdioServerTransport(terminal.stdin as never, terminal.stdout as never);
    const closed = new Promise<void>((resolve) => {
      server.server.onclose = resolve;
      terminal.stdin.once('end', resolve).once('close', resolve);
    });
    await server.connect(transport);
    await closed;
  } finally {
    await server.close();
    await store.close();
  }
}

async function loadSdk() {
  try {
    const [{ McpServer }, { StdioServerTransport }, { z }] = await Promise.all([
      import('@modelcontextprotocol/sdk/server/mcp.js'),
      import('@modelcontextprotocol/sdk/server/stdio.js'),
      import('zod'),
    ]);
    return { McpServer, StdioServerTransport, z };
  } catch (cause) {
    throw new UllageError('usage_invalid', '`ullage mcp` needs the package @modelcontextprotocol/sdk, which is not installed.', {
      cause,
      hint: 'npm install @modelcontextprotocol/sdk',
    });
  }
}

function makeServer({ McpServer, z }: Awaited<ReturnType<typeof loadSdk>>, tools: RecallTools) {
  const server = new McpServer({ name: 'ullage', version: packageVersion() });
  const line = z.number().int().min(1).optional();
  server.registerTool(
    'ullage_read',
    {
      title: 'Read what was shortened',
      description:
        'Opens a handle (e_… or f_…) printed in this conversation where an earlier message was shortened or summarised, and gives the original text. Long texts come in ranges of lines.',
      inputSchema: { handle: z.string().min(1).max(200), fromLine: line, toLine: line },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    (request) => answer(() => tools.read(request)),
  );
  server.registerTool(
    'ullage_search',
    {
      title: 'Search everything said before',
      description:
        'Finds words in the whole history of this conversation, also in what was shortened or summarised, and gives excerpts with handles for ullage_read.',
      inputSchema: {
        query: z.string().min(1).max(1_000),
        limit: z.number().int().min(1).max(50).optional(),
        session: z.string().min(1).max(512).optional().describe('key of another session; default: the one with the newest request'),
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    (request) => answer(() => tools.search(request)),
  );
  return server;
}

/** A refusal is an answer the agent can read, not an end of the connection. */
async function answer(work: () => Promise<string>) {
  try {
    return { content: [{ type: 'text' as const, text: await work() }] };
  } catch (error) {
    if (!UllageError.is(error)) throw error;
    return { isError: true, content: [{ type: 'text' as const, text: `${error.message} ${error.hint}` }] };
  }
}
