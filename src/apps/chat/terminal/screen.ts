// Writes to a terminal: dim status lines that vanish, plain text elsewhere.
import { colorsFor } from '../../cli/terminal/colors.ts';
import { type Terminal, widthOf } from '../../cli/terminal/terminal.ts';
import type { Screen } from './terminal-channel.ts';

const CLEAR_LINE = '\r\u001b[2K';

export function createScreen(terminal: Terminal): Screen {
  const { stdout } = terminal;
  const colors = colorsFor(terminal, stdout);
  let hasStatus = false;
  let isMidLine = false;
  const clear = () => {
    if (hasStatus) stdout.write(CLEAR_LINE);
    hasStatus = false;
  };
  return {
    write(text) {
      if (text === '') return;
      clear();
      stdout.write(text);
      isMidLine = !text.endsWith('\n');
    },
    status(text) {
      if (stdout.isTTY !== true) return;
      clear();
      if (text === '') return;
      // What vanishes is the whole line: no words may stand on it, and it must be one line.
      if (isMidLine) stdout.write('\n');
      isMidLine = false;
      stdout.write(colors.dim(text.slice(0, widthOf(stdout) - 1)));
      hasStatus = true;
    },
  };
}
