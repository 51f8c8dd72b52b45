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
];
