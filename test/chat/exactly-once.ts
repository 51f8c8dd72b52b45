// Many chats at once, bots as processes that are killed in the middle: was every update answered once, and in order?
import { strictProvider } from '../../src/testkit/index.ts';
import { fakeBotApi } from './bot-api.ts';
import { type Running, runUllage, setting, TOKEN } from './support.ts';
import { echo } from './telegram-world.ts';

export interface OnceOptions {
  readonly chats: number;
  readonly updates: number;
  /** kill -9 after so many answers; the process is started again at once. */
  readonly killAt: readonly number[];
  /** Bots on one store. */
  readonly bots: number;
}

export interface OnceResult {
  /** Per chat: the texts of the bot's messages, without the empty ones that a crash may leave. */
  readonly answers: readonly (readonly string[])[];
  readonly expected: readonly (readonly string[])[];
  /** Messages without words, left by crashes. */
  readonly empty: number;
  readonly durationMs: number;
  readonly modelCalls: number;
}

const FIRST_CHAT = 1_000;

export async function playOnce({ chats, updates, killAt, bots }: OnceOptions): Promise<OnceResult> {
  const api = await fakeBotApi(TOKEN);
  const provider = await strictProvider({ window: 128_000, answer: echo, maxKeptBytes: 1_000_000 });
  const ids = Array.from({ length: chats }, (_, index) => FIRST_CHAT + index);
  const telegram = { apiRoot: api.url, editEveryMs: 100, parallel: 50 };
  const given = setting({ url: `${provider.url}/v1`, window: 128_000, allowedUsers: ids, telegram });
  const start = () => runUllage(['telegram', '--config', given.config], given);
  const answered = () => api.messages.filter(({ text }) => text.startsWith('Answer to: ') && !text.endsWith(' …')).length;
  const running: Running[] = Array.from({ length: bots }, start);
  for (let update = 1; update <= updates; update++) for (const id of ids) api.say(id, `${id}/${update}`);
  const startedAtMs = Date.now();
  for (const [index, count] of killAt.entries()) {
    await api.until(() => answered() >= count);
    const victim = index % bots;
    await running[victim]!.kill();
    running[victim] = start();
  }
  await api.until(() => answered() >= chats * updates);
  const durationMs = Date.now() - startedAtMs;
  for (const bot of running) bot.child.kill('SIGTERM');
  await Promise.all(running.map((bot) => bot.end()));
  await Promise.all([api.close(), provider.close()]);
  const of = (id: number) => api.messages.filter(({ chat }) => chat === id).map(({ text }) => text);
  return {
    answers: ids.map((id) => of(id).filter((text) => text !== '…')),
    expected: ids.map((id) => Array.from({ length: updates }, (_, index) => `Answer to: ${id}/${index + 1}`)),
    empty: api.messages.filter(({ text }) => text === '…').length,
    durationMs,
    modelCalls: provider.bill().requests,
  };
}
