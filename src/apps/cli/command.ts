// What a command is, and what it gets. One file a command in commands/; the list of them is registry.ts.
import type { Command } from 'commander';
import type { Terminal } from './terminal/terminal.ts';

/** Adds a command's arguments, options and action to its (still empty) commander command. */
export type Configure = (command: Command, context: CommandContext) => void;

/** The module of a command. */
export interface CommandModule {
  readonly configure: Configure;
}

export interface CommandContext {
  readonly terminal: Terminal;
  /** Ends the program with this status after the action; 0 unless it is called. */
  setExitCode(exitCode: number): void;
}
