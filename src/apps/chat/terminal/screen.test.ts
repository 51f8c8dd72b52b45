import { expect, it } from 'vitest';
import { createScreen } from './screen.ts';

it('a status never takes words with it when it vanishes, and is never longer than a line', () => {
  let written = '';
  const stdout = { write: (text: string) => (written += text), isTTY: true, columns: 60 };
  const screen = createScreen({ stdout, env: { NO_COLOR: '1' } } as never);
  screen.status('…');
  screen.write('Let me see.');
  screen.status(`… ${'x'.repeat(100)}`);
  screen.write('Found.\n');
  const clear = '\r\u001b[2K';
  expect(written).toBe(`…${clear}Let me see.\n… ${'x'.repeat(57)}${clear}Found.\n`);
});
