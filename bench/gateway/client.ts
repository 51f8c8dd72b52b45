// The load: chat requests of a growing conversation, over connections that are kept, and when their first byte came.
import { performance } from 'node:perf_hooks';
import type { Pool } from 'undici';

const MESSAGE_CHARS = 400;

/** Requests of one conversation: about `startBytes` at first, one exchange more each time. */
export function* conversation(seed: string, startBytes: number): Generator<string> {
  const messages: object[] = [];
  let sizeBytes = 0;
  const add = (role: string) => {
    const content = `${seed} ${messages.length} ${'lorem ipsum dolor '.repeat(50)}`.slice(0, MESSAGE_CHARS);
    messages.push({ role, content });
    sizeBytes += content.length + 30;
  };
  add('user');
  while (sizeBytes < startBytes) {
    add('assistant');
    add('user');
  }
  for (;;) {
    yield JSON.stringify({ model: 'bench', stream: false, messages });
    add('assistant');
    add('user');
  }
}

export interface Answered {
  readonly firstByteMs: number;
  readonly chunks: number;
}

/** `stream`: chunks and the pause between them. Throws for any status but 200. */
export async function ask(
  pool: Pool,
  request: { readonly path: string; readonly body: string; readonly stream?: string },
): Promise<Answered> {
  const { path, body, stream } = request;
  const headers = { 'content-type': 'application/json', ...(stream === undefined ? {} : { 'x-bench-stream': stream }) };
  const startedMs = performance.now();
  const answer = await pool.request({ path, method: 'POST', headers, body });
  let firstByteMs: number | undefined;
  let text = '';
  for await (const chunk of answer.body) {
    firstByteMs ??= performance.now() - startedMs;
    text += String(chunk);
  }
  if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}: ${text.slice(0, 300)}`);
  return { firstByteMs: firstByteMs ?? 0, chunks: text.split('data: {').length - 1 };
}
