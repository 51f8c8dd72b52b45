// `ullage mcp`: what was pruned or folded, as tools for an agent. Its work is loaded when it runs.
import type { Configure } from '../command.ts';
import { DEFAULT_DATABASE } from '../shared/default-database.ts';

export interface McpFlags {
  readonly db: string;
  readonly tenant: string;
  readonly session?: string;
}

export const configure: Configure = (command, context) => {
  command
    .option('--db <file>', 'the database that the gateway or library writes', DEFAULT_DATABASE)
    .option('--tenant <name>', 'whose sessions', 'local')
    .option('--session <key>', 'the only session that can be read and searched; default: read any, search the one with the newest request')
    .action(async (flags: McpFlags) => {
      const { runMcp } = await import('../mcp/run.ts');
      await runMcp(flags, context);
    });
};
