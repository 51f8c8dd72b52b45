// Numbers as people read them.
import { formatCount } from '../../cli/terminal/numbers.ts';

export const tokens = (value: number): string => `${formatCount(value)} ${Math.round(value) === 1 ? 'token' : 'tokens'}`;

export const messages = (value: number): string => `${formatCount(value)} ${value === 1 ? 'message' : 'messages'}`;

export function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(bytes < 100_000 ? 3 : 1)} MB`;
}

/** `17:05 UTC`, with the date when it is another day. */
export function timeText(atMs: number, nowMs: number): string {
  const text = new Date(atMs).toISOString();
  const time = `${text.slice(11, 16)} UTC`;
  return text.slice(0, 10) === new Date(nowMs).toISOString().slice(0, 10) ? time : `${text.slice(0, 10)} ${time}`;
}

export function share(part: number, whole: number): string {
  return whole > 0 ? `${Math.round((part / whole) * 100)} %` : '0 %';
}
