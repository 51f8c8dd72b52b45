// An MCP server for tests, over its standard streams: reads, hangs, dies, answers 50 MB, fails.
import { appendFileSync, existsSync, watch, writeFileSync } from 'node:fs';
import path from 'node:path';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

const HUGE_CHARS = 50_000_000;
const server = new McpServer({ name: 'test', version: '1' });
const answer = (text: string) => ({ content: [{ type: 'text' as const, text }] });

server.registerTool('read', { description: 'Reads a part.', inputSchema: { part: z.number(), chars: z.number() } }, ({ part, chars }) => {
  let text = `Part ${part}:`;
  for (let line = 0; text.length < chars; line++) text += `\nvalue ${part * 1_000 + line} of part ${part} is ${(line * 7_919) % 1_000}`;
  return answer(text.slice(0, chars));
});
server.registerTool(
  'note',
  { description: 'Writes a line.', inputSchema: { file: z.string(), line: z.string() } },
  async ({ file, line }) => {
    appendFileSync(file, `${line}\n`);
    return answer('noted');
  },
);
server.registerTool('slow-note', { description: 'Writes a line and never answers.', inputSchema: { file: z.string() } }, ({ file }) => {
  appendFileSync(file, 'begun\n');
  return new Promise(() => {});
});
server.registerTool('hang', { description: 'Never answers.' }, () => new Promise(() => {}));
server.registerTool('freeze', { description: 'Never answers anything any more.' }, () => {
  for (;;);
});
server.registerTool('die', { description: 'Ends the server.' }, () => process.exit(1));
server.registerTool('huge', { description: 'Answers 50 MB.' }, () => answer('x'.repeat(HUGE_CHARS)));
server.registerTool('fail', { description: 'Fails.' }, () => {
  throw new Error('It cannot be done.');
});
server.registerTool('pid', { description: 'Its process.' }, () => answer(String(process.pid)));
server.registerTool('env', { description: 'A variable.', inputSchema: { name: z.string() } }, ({ name }) =>
  answer(process.env[name] ?? ''),
);
// A server that comes up together with another one: each waits for the other's mark.
const { TEST_MARK: mark, TEST_OTHER_MARK: otherMark } = process.env;
if (mark !== undefined && otherMark !== undefined) {
  writeFileSync(mark, '');
  if (!existsSync(otherMark))
    await new Promise<void>((resolve) => {
      const watcher = watch(path.dirname(otherMark), () => {
        if (!existsSync(otherMark)) return;
        watcher.close();
        resolve();
      });
      if (existsSync(otherMark)) resolve();
    });
}
const { TEST_PAGES, TEST_NO_LIST_PID_FILE: pidFile } = process.env;
if (TEST_PAGES !== undefined) {
  const tool = (name: string) => ({ name, inputSchema: { type: 'object' as const } });
  server.server.setRequestHandler(ListToolsRequestSchema, ({ params }) =>
    params?.cursor === undefined ? { tools: [tool('read')], nextCursor: '2' } : { tools: [tool('last-page')] },
  );
}
if (pidFile !== undefined) {
  writeFileSync(pidFile, String(process.pid));
  server.server.setRequestHandler(ListToolsRequestSchema, () => {
    throw new Error('There is no list.');
  });
}
await server.connect(new StdioServerTransport());
