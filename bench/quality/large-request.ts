// A made-up history of a given size: many sessions, one after the other, as raw Chat Completions messages.
import { chinese } from './languages/chinese.ts';
import { makeSession } from './languages/make-session.ts';
import { spanish } from './languages/spanish.ts';

/** Raw messages of at least so many bytes together. Always the same. */
export function largeRequest(sizeBytes: number): readonly string[] {
  const raws: string[] = [];
  let bytes = 0;
  for (let seed = 1; bytes < sizeBytes; seed += 1) {
    for (const message of makeSession(seed % 2 === 0 ? spanish : chinese, seed)) {
      if (message.role === 'system') continue;
      const raw = JSON.stringify(message).replaceAll('call_', `call_${seed}_`);
      raws.push(raw);
      bytes += Buffer.byteLength(raw);
    }
  }
  return raws;
}
