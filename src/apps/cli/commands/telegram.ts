// `ullage telegram`: a Telegram bot. Its work is loaded when it runs.
import type { Configure } from '../command.ts';

export interface TelegramFlags {
  readonly config?: string;
  readonly profile?: string;
  readonly db?: string;
}

export const configure: Configure = (command, context) => {
  command
    .option('--config <file>', 'default: ullage.config.json')
    .option('--profile <name>', 'one of the profiles in it; default: the only one, or the one called default')
    .option('--db <file>', "the database; default: the config's, or ullage-chat.db beside it")
    .action(async (flags: TelegramFlags) => {
      const { runTelegram } = await import('../../chat/telegram/run-telegram.ts');
      await runTelegram(flags, context.terminal);
    });
};
