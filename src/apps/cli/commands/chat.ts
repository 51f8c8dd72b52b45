// `ullage chat`: a conversation in the terminal. Its work is loaded when it runs.
import type { Configure } from '../command.ts';

export interface ChatFlags {
  readonly session: string;
  readonly config?: string;
  readonly profile?: string;
  readonly db?: string;
}

export const configure: Configure = (command, context) => {
  command
    .option('--session <key>', 'which conversation; one of any name begins with its first message', 'terminal')
    .option('--config <file>', 'default: ullage.config.json')
    .option('--profile <name>', 'one of the profiles in it; default: the only one, or the one called default')
    .option('--db <file>', "the database; default: the config's, or ullage-chat.db beside it")
    .action(async (flags: ChatFlags) => {
      const { runTerminalChat } = await import('../../chat/terminal/run-chat.ts');
      await runTerminalChat(flags, context.terminal);
    });
};
