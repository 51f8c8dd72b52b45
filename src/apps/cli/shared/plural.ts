// A count with its noun.
import { formatCount } from '../terminal/numbers.ts';

/** `1 message`, `1,234 messages`, `2 entries`. */
export function plural(count: number, noun: string, many = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : many}`;
}
