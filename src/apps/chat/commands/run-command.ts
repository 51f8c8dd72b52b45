// What a person may ask of the conversation itself.
import { type Session, UllageError } from '../../../index.ts';
import type { Chat } from '../chat.ts';
import type { Item, SessionState } from '../store/rows.ts';
import { nextGeneration, sessionState } from '../store/turns.ts';
import type { Answered } from '../turn/run-turn.ts';
import { compact } from './compact.ts';
import { parseCommand } from './parse-command.ts';
import { listPins, pin, unpin } from './pins.ts';
import { search } from './search.ts';
import { status } from './status.ts';

export interface CommandRun {
  readonly chat: Chat;
  readonly item: Item;
  readonly state: SessionState;
  readonly session: Session;
  readonly words: string;
  /** A process died while it ran this command. */
  readonly isResumed: boolean;
}

type Command = (run: CommandRun) => Promise<Answered>;

export const HELP = [
  'What you write is for the model, but for these:',
  '/status – how full the conversation is, and what fills it',
  '/compact [what matters] – make it shorter now; /compact preview shows what would happen',
  '/undo – take the last compaction back',
  '/pin TEXT – keep a text in every request, word for word; /pins lists them, /unpin NUMBER takes one away',
  '/search WORDS – find anything that was ever said here',
  '/new – begin a new conversation; the old one is kept and can be searched',
].join('\n');

const COMMANDS: Readonly<Record<string, Command>> = {
  compact,
  status,
  undo,
  pin,
  pins: listPins,
  unpin,
  search,
  new: beginAnew,
  help: async () => ({ text: HELP }),
  start: async () => ({ text: `Hello! Write to me.\n\n${HELP}` }),
};

/** The answer to a command; an error of the library is an answer, too. */
export async function runCommand(chat: Chat, item: Item, { isResumed }: { readonly isResumed: boolean }): Promise<Answered> {
  const parsed = parseCommand(item.text);
  const command = parsed && Object.hasOwn(COMMANDS, parsed.name) ? COMMANDS[parsed.name] : undefined;
  if (parsed === undefined || command === undefined)
    return { text: `There is no command /${parsed?.name ?? ''}. /help lists those there are.` };
  try {
    const state = await chat.db.read((sql) => sessionState(sql, item.session));
    const session = await chat.conversations.session(state);
    return await command({ chat, item, state, session, words: parsed.words, isResumed });
  } catch (error) {
    if (!UllageError.is(error)) throw error;
    return { text: errorText(error, chat.secrets.redact) };
  }
}

function errorText(error: UllageError, redact: (text: string) => string): string {
  if (error.code === 'session_not_found') return 'There is no conversation yet: say something first.';
  if (error.code === 'nothing_to_undo') return 'There is nothing to undo: nothing in this conversation is compacted.';
  if (error.code === 'not_stored') return 'This store keeps no message texts, so that cannot be done.';
  return `⚠️ ${redact(error.message)}`;
}

/** The new conversation begins together with the answer: a command that is run again begins no second one. */
async function beginAnew({ item }: CommandRun): Promise<Answered> {
  const text = 'A new conversation begins with your next message. The old one is kept; /search finds what was said in it.';
  return { text, commit: (sql) => nextGeneration(sql, item.session) };
}

/** Taking back cannot be repeated: a second time would take back what nobody asked for. */
async function undo({ session, isResumed }: CommandRun): Promise<Answered> {
  if (isResumed) return { text: 'The program ended while it undid the last compaction. /status shows how the conversation stands.' };
  const { restoredMessages } = await session.undo();
  const what = restoredMessages === 1 ? '1 message goes' : `${restoredMessages} messages go`;
  return {
    text: `Undone: ${what} to the model again as they were. Automatic compaction rests for an hour, until the window is nearly full, or until the provider refuses a request.`,
  };
}
