// `ullage demo`: what `npm start` shows. The bundled session and both founding incidents, played for real. Hidden: it is for a checkout.
import type { Configure } from '../command.ts';

export const configure: Configure = (command, context) => {
  command.argument('[file]', 'another transcript than the bundled one').action(async (file: string | undefined) => {
    const { runDemo } = await import('../demo/run.ts');
    await runDemo(file, context);
  });
};
