// The lines of a gateway for people: time, level, message; of the fields only what an error says.
import type { Log, LogLevel } from '../../../ports/log.ts';
import { toSingleLine } from '../terminal/text-width.ts';

const LEVEL_WIDTH = 5;

/** Debug lines are left out. */
export function textLog(write: (line: string) => void, now: () => number): Log {
  return {
    write(level: LogLevel, message, fields = {}) {
      if (level === 'debug') return;
      const error = typeof fields.error === 'string' ? ` (${fields.error})` : '';
      write(`${new Date(now()).toISOString()} ${level.padEnd(LEVEL_WIDTH)} ${toSingleLine(message + error)}\n`);
    },
  };
}
