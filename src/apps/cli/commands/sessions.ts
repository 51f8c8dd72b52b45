// `ullage sessions …`: what a database holds, and what a person may do with it. Its work is loaded when it runs.
import type { Command } from 'commander';
import { UllageError } from '../../../core/errors.ts';
import { APIS } from '../../../core/transcript/entry.ts';
import type { Configure } from '../command.ts';
import { DEFAULT_DATABASE } from '../shared/default-database.ts';

/** Flags of all of them; each has some of the rest. */
export interface SessionsFlags {
  readonly db: string;
  readonly tenant: string;
  readonly json?: boolean;
  readonly limit?: string;
  readonly lines?: string;
  readonly remove?: string;
  readonly window?: string;
  readonly format?: string;
  readonly compacted?: boolean;
  readonly output?: string;
  readonly yes?: boolean;
  readonly olderThan?: string;
  readonly dryRun?: boolean;
}

const DEFAULT_HITS = '10';

/** Without the name of one of them, or with another name. */
function configureGroup(command: Command): void {
  command
    .usage('[command] [options]')
    .argument('[command]')
    .action((name: string | undefined) => {
      const names = command.commands.map((known) => known.name()).join(', ');
      throw new UllageError('usage_invalid', `${name === undefined ? 'Name a command' : `There is no sessions ${name}`}: one of ${names}.`);
    });
}

export const configure: Configure = (command, context) => {
  configureGroup(command);
  const add = (usage: string, summary: string): Command =>
    command
      .command(usage)
      .description(summary)
      .option('--db <file>', 'the database', DEFAULT_DATABASE)
      .option('--tenant <name>', 'whose sessions', 'local')
      .option('--json', 'one JSON document on standard output');
  const load = () => import('../sessions/run.ts');

  add('list', 'all sessions, the newest request first').action(async (flags: SessionsFlags) => (await load()).runList(flags, context));
  add('show <key>', 'one session: conversations, compactions, guard, pins')
    .option('--window <tokens>', "the model's window, for what the guard would say; default: what is known of the model")
    .action(async (key: string, flags: SessionsFlags) => (await load()).runShow(key, flags, context));
  add('search <key> <query...>', 'everything ever said in a session, folded or not')
    .option('--limit <count>', 'hits', DEFAULT_HITS)
    .action(async (key: string, query: string[], flags: SessionsFlags) =>
      (await load()).runSearch({ key, query: query.join(' ') }, flags, context),
    );
  add('read <handle>', 'the full text behind a prune, fold or hit')
    .option('--lines <range>', 'lines from 1, such as 10-25')
    .action(async (handle: string, flags: SessionsFlags) => (await load()).runRead(handle, flags, context));
  add('pin <key> [text...]', 'keep a text in every request, verbatim; without one, list the pins')
    .option('--remove <id>', 'take a pin away')
    .action(async (key: string, text: string[], flags: SessionsFlags) =>
      (await load()).runPin({ key, text: text.join(' ') }, flags, context),
    );
  add('undo <key>', 'take the newest fold and its prunes back, and keep it so')
    .option('--window <tokens>', "the model's window; default: what is known of the model")
    .action(async (key: string, flags: SessionsFlags) => (await load()).runUndo(key, flags, context));
  add('export <key>', 'the messages as a request body')
    .option('--format <api>', `convert to one of ${APIS.join(', ')}; default: as they came, byte for byte`)
    .option('--compacted', 'what is sent now instead of everything that was said')
    .option('--output <file>', 'write it there instead of standard output: whole or not at all')
    .action(async (key: string, flags: SessionsFlags) => (await load()).runExport(key, flags, context));
  add('delete <key>', 'remove a session for good: rows, search words, free pages')
    .option('--yes', 'do not ask')
    .action(async (key: string, flags: SessionsFlags) => (await load()).runDelete(key, flags, context));
  add('prune', 'delete the sessions whose last request is old')
    .requiredOption('--older-than <age>', 'such as 30d, 12h or 90m')
    .option('--dry-run', 'tell which ones, delete nothing')
    .action(async (flags: SessionsFlags) => (await load()).runPrune(flags, context));
};
