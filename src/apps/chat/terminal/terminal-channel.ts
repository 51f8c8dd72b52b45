// The terminal as a place to talk: the answer is written as it grows, and what is still missing of it at its end.
import type { Channel, Live, Work } from '../channel.ts';
import type { Chat } from '../chat.ts';
import { noteOut, outMessages } from '../store/outbox.ts';
import { write } from '../turn/turn-run.ts';
import { printable } from './printable.ts';

export interface Screen {
  write(text: string): void;
  /** A line that shows what is going on, gone with the next word. */
  status(text: string): void;
}

export function terminalChannel(chat: Chat, source: string, screen: Screen): Channel {
  /** What of an item's answer stands on the screen already. Lost with the process: then all of it is written again. */
  const shown = new Map<number, string>();
  return {
    source,
    split: (text) => [text],
    begin({ item }: Work): Live {
      screen.status('…');
      return {
        text(soFar) {
          const before = shown.get(item.id) ?? '';
          if (!soFar.startsWith(before)) return;
          screen.write(printable(soFar.slice(before.length)));
          shown.set(item.id, soFar);
        },
        tool: (name) => screen.status(`… ${printable(name)}`),
        end: async () => screen.status(''),
      };
    },
    async deliver({ item, lease }) {
      const open = await chat.db.read((sql) => outMessages(sql, item.id).filter(({ state }) => state !== 'sent'));
      for (const message of open) {
        const before = message.ordinal === 0 ? (shown.get(item.id) ?? '') : '';
        const text = message.text ?? '';
        // What was streamed and is not how it ended (a repeat after a fault) is said anew.
        const rest = text.startsWith(before) ? text.slice(before.length) : `\n${text}`;
        screen.write(`${printable(rest)}\n`);
        await write({ chat, lease }, (sql) => noteOut(sql, message, 'sent'));
      }
      shown.delete(item.id);
    },
  };
}
