// Lines of a person at a terminal, or of a pipe. Ctrl-C stops what runs, and leaves when nothing does; Ctrl-D leaves.
import { createInterface } from 'node:readline';
import type { Terminal } from '../../cli/terminal/terminal.ts';

export interface Lines extends AsyncIterable<string> {
  prompt(): void;
  close(): void;
}

/** A backslash at the end of a line joins it with the next one. */
export function readLines(terminal: Terminal, onInterrupt: () => void): Lines {
  const { stdin, stdout } = terminal;
  const isTerminal = stdout.isTTY === true && (stdin as { isTTY?: boolean }).isTTY === true;
  const reader = createInterface({
    input: stdin,
    ...(isTerminal ? { output: stdout as NodeJS.WritableStream, terminal: true } : { terminal: false }),
    prompt: '> ',
    historySize: 100,
  });
  reader.on('SIGINT', onInterrupt);
  return {
    prompt: () => {
      if (isTerminal) reader.prompt();
    },
    close: () => reader.close(),
    async *[Symbol.asyncIterator]() {
      let held = '';
      for await (const line of reader) {
        if (line.endsWith('\\')) {
          held += `${line.slice(0, -1)}\n`;
          continue;
        }
        const text = held + line;
        held = '';
        yield text;
      }
      if (held !== '') yield held;
    },
  };
}
