// Lines of a person at a terminal, or of a pipe. Ctrl-C stops what runs, and leaves when nothing does; Ctrl-D leaves.
import { createInterface } from 'node:readline';
import type { Terminal } from '../../cli/terminal/terminal.ts';
import { Bell } from '../bell.ts';

export interface Lines extends AsyncIterable<string> {
  prompt(): void;
  /** No more lines, not even those that wait. */
  close(): void;
}

/** Asks the terminal to mark what is pasted (https://invisible-island.net/xterm/ctlseqs/ctlseqs.html, bracketed paste mode). */
const MARK_PASTES = '\u001b[?2004h';
const MARK_NO_PASTES = '\u001b[?2004l';

/** A backslash at the end of a line joins it with the next one, and so does pasting. Lines are kept from now on, also while nobody reads. */
export function readLines(terminal: Terminal, onInterrupt: () => void): Lines {
  const { stdin, stdout } = terminal;
  const isTerminal = stdout.isTTY === true && (stdin as { isTTY?: boolean }).isTTY === true;
  const reader = createInterface({
    input: stdin,
    ...(isTerminal ? { output: stdout as NodeJS.WritableStream, terminal: true } : { terminal: false }),
    prompt: '> ',
    historySize: 100,
  });
  const waiting: string[] = [];
  const bell = new Bell();
  let isClosed = false;
  let isPasting = false;
  let held = '';
  stdin.on('keypress', (_text, key?: { readonly name?: string }) => {
    if (key?.name === 'paste-start') isPasting = true;
    if (key?.name === 'paste-end') isPasting = false;
  });
  reader.on('SIGINT', onInterrupt);
  reader.on('line', (line) => {
    const isJoined = line.endsWith('\\');
    if (isPasting || isJoined) {
      held += `${isJoined && !isPasting ? line.slice(0, -1) : line}\n`;
      return;
    }
    waiting.push(held + line);
    held = '';
    bell.ring();
  });
  reader.once('close', () => {
    isClosed = true;
    if (isTerminal) stdout.write(MARK_NO_PASTES);
    if (held !== '') waiting.push(held);
    bell.ring();
  });
  if (isTerminal) stdout.write(MARK_PASTES);
  return {
    prompt: () => {
      if (isTerminal && !isClosed) reader.prompt();
    },
    close: () => {
      waiting.length = 0;
      held = '';
      reader.close();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const line = waiting.shift();
        if (line !== undefined) yield line;
        else if (isClosed) return;
        else await bell.wait();
      }
    },
  };
}
