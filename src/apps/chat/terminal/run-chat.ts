// `ullage chat`: a conversation in the terminal that outlives its process.
import { colorsFor } from '../../cli/terminal/colors.ts';
import type { Terminal } from '../../cli/terminal/terminal.ts';
import { type Chat, openChat } from '../chat.ts';
import { parseCommand } from '../commands/parse-command.ts';
import { loadProfile } from '../config/load-config.ts';
import { createSecrets } from '../config/secrets.ts';
import { createLog } from '../log.ts';
import { createRuntime } from '../runtime.ts';
import { nextUpdateId } from '../store/inbox.ts';
import type { NewItem } from '../store/rows.ts';
import { printable } from './printable.ts';
import { readLines } from './read-lines.ts';
import { createScreen } from './screen.ts';
import { Stopper } from './stopper.ts';
import { terminalChannel } from './terminal-channel.ts';

export interface ChatOptions {
  readonly session: string;
  readonly config?: string;
  readonly profile?: string;
  readonly db?: string;
}

/** Resolves when the person leaves. */
export async function runTerminalChat(options: ChatOptions, terminal: Terminal): Promise<void> {
  const loaded = await loadProfile({ file: options.config, profile: options.profile, database: options.db });
  const secrets = createSecrets(terminal.env);
  const log = createLog({ write: (text) => terminal.stderr.write(text), secrets, now: terminal.now, levels: new Set(['error']) });
  if (loaded.databaseNote !== undefined) terminal.stderr.write(`${loaded.databaseNote}\n`);
  const chat = await openChat({ loaded, secrets, log, now: terminal.now });
  try {
    await talk(chat, options.session, terminal);
  } finally {
    await chat.close();
  }
}

async function talk(chat: Chat, session: string, terminal: Terminal): Promise<void> {
  const source = `terminal:${session}`;
  const screen = createScreen(terminal);
  const leaving = new AbortController();
  const stopping = new Stopper();
  const channel = stopping.around(terminalChannel(chat, source, screen));
  const runtime = createRuntime({ chat, channel, parallel: 1, signal: leaving.signal, lookEveryMs: 100 });
  const running = runtime.run();
  const lines = readLines(terminal, () => {
    if (stopping.stop()) return;
    leaving.abort();
    lines.close();
  });
  const { dim } = colorsFor(terminal, terminal.stdout);
  screen.write(`${dim(`Session ${printable(session)}. /help lists the commands, Ctrl-D leaves.`)}\n`);
  try {
    await runtime.idle();
    lines.prompt();
    for await (const line of lines) {
      const text = line.trim();
      if (text === '/quit' || text === '/exit') break;
      if (text !== '') {
        // The number is taken in the same transaction: another terminal may be at this session.
        await runtime.accept((sql) => itemOf(chat, { text, session, source, updateId: nextUpdateId(sql, source) }));
        await runtime.idle();
      }
      lines.prompt();
    }
  } finally {
    leaving.abort();
    lines.close();
    await running;
  }
}

function itemOf(chat: Chat, given: Pick<NewItem, 'text' | 'session' | 'source' | 'updateId'>): NewItem {
  const { maxMessageChars } = chat.profile;
  const { text } = given;
  if (text.length > maxMessageChars) {
    const note = `That message is too long: it has ${text.length} characters, and ${maxMessageChars} are taken. It was not sent.`;
    return { ...given, kind: 'note', text: note, address: {} };
  }
  return { ...given, kind: parseCommand(text) ? 'command' : 'text', address: {} };
}
