// All commands. A command's module is loaded when it is asked for, so that the others cost nothing.
import type { CommandModule } from './command.ts';

export interface CommandEntry {
  readonly name: string;
  /** One line for `ullage --help`. */
  readonly summary: string;
  /** Left out of the list of commands. */
  readonly isHidden?: boolean;
  readonly load: () => Promise<CommandModule>;
}

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'inspect',
    summary: 'show what fills the context of a transcript; no key, no store',
    load: () => import('./commands/inspect.ts'),
  },
  {
    name: 'compact',
    summary: 'a compacted request from any transcript; no key, nothing stored',
    load: () => import('./commands/compact.ts'),
  },
  {
    name: 'replay',
    summary: 'play a transcript, request by request, through engine and store; --incident restart or 220',
    load: () => import('./commands/replay.ts'),
  },
  {
    name: 'bench',
    summary: 'measure offline what compactions of your transcripts keep and cost',
    load: () => import('./commands/bench.ts'),
  },
  {
    name: 'sessions',
    summary: 'list, show, search, read, pin, undo, export, delete or prune the sessions of a database',
    load: () => import('./commands/sessions.ts'),
  },
  {
    name: 'serve',
    summary: 'the gateway: any agent compacts by changing its base URL',
    load: () => import('./commands/serve.ts'),
  },
  {
    name: 'run',
    summary: 'run a program behind a gateway of its own: ullage run -- claude',
    load: () => import('./commands/run.ts'),
  },
  {
    name: 'mcp',
    summary: 'two tools over stdio by which an agent opens and searches what was pruned or folded',
    load: () => import('./commands/mcp.ts'),
  },
  {
    name: 'chat',
    summary: 'talk to a model in the terminal; the conversation outlives its process',
    load: () => import('./commands/chat.ts'),
  },
  {
    name: 'telegram',
    summary: 'a Telegram bot whose conversations live for months',
    load: () => import('./commands/telegram.ts'),
  },
  {
    name: 'doctor',
    summary: 'what this machine has, and whether the store is sound',
    load: () => import('./commands/doctor.ts'),
  },
  {
    name: 'demo',
    summary: 'play the bundled session and both founding incidents',
    isHidden: true,
    load: () => import('./commands/demo.ts'),
  },
];
