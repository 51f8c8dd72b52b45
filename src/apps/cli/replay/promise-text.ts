// Promises with a mark for each.
import type { Colors } from '../terminal/colors.ts';
import { wrapText } from '../terminal/text-width.ts';
import type { KeptPromise } from './restart-promises.ts';

export function renderPromises(
  promises: readonly KeptPromise[],
  { width, colors }: { readonly width: number; readonly colors: Colors },
): string[] {
  return promises.flatMap(({ what, isKept, detail }) => {
    const [first = '', ...rest] = wrapText(`${what}: ${detail}`, width - 4);
    return [`  ${isKept ? colors.green('✓') : colors.red('✗')} ${first}`, ...rest.map((line) => `    ${line}`)];
  });
}
