// A bot in this process, on a fake Bot API and a scripted provider.
import { onTestFinished } from 'vitest';
import { runTelegram } from '../../src/apps/chat/telegram/run-telegram.ts';
import { type ProviderRequest, type StrictProvider, type StrictProviderOptions, strictProvider } from '../../src/testkit/index.ts';
import { type FakeBotApi, fakeBotApi } from './bot-api.ts';
import { ENV, type Setting, setting, TOKEN } from './support.ts';

export interface TelegramWorld {
  readonly api: FakeBotApi;
  readonly provider: StrictProvider;
  readonly given: Setting;
  /** All that bots wrote to standard error. */
  readonly log: () => string;
  /** Starts a bot; call what it answers to end it. */
  start(): () => Promise<void>;
  /** Texts of the bot in a chat, as they stand. */
  said(chat: number): readonly string[];
  /** Tokens and status of every request to the provider, also of those whose bodies it forgot. */
  sizes(): readonly { readonly tokens: number; readonly status?: number }[];
  /** Resolves when that many messages of the bot in the chat have their words. */
  untilSaid(chat: number, count: number): Promise<readonly string[]>;
}

export const USER = 7;

/** The answer of a scripted model to the newest words of a person: a summary stands in a block before them. */
export function echo({ body }: { readonly body: unknown }): string {
  return `Answer to: ${newestUserText(body)}`;
}

/** Of a request in any of the three APIs. */
export function newestUserText(body: unknown): string {
  const { messages, input } = body as { readonly messages?: readonly Said[]; readonly input?: readonly Said[] };
  const newest = (messages ?? input ?? []).findLast((said) => said.role === 'user' && textsOf(said).length > 0);
  return newest === undefined ? '' : textsOf(newest).at(-1)!;
}

interface Said {
  readonly role?: string;
  readonly content?: unknown;
}

function textsOf({ content }: Said): readonly string[] {
  if (typeof content === 'string') return [content];
  // A pin joins the newest message as a block of its own.
  return (content as readonly { readonly text?: string }[]).flatMap(({ text = '' }) =>
    text === '' || text.startsWith('[Pinned') ? [] : [text],
  );
}

export async function telegramWorld(
  options: { readonly profile?: object; readonly provider?: StrictProviderOptions } = {},
): Promise<TelegramWorld> {
  const api = await fakeBotApi(TOKEN);
  const seen = new Map<number, ProviderRequest>();
  const answer = options.provider?.answer ?? echo;
  const provider = await strictProvider({
    window: 32_000,
    ...options.provider,
    answer: (request) => {
      seen.set(request.index, request);
      return answer(request);
    },
  });
  const { telegram = {}, ...profile } = (options.profile ?? {}) as { readonly telegram?: object };
  const given = setting({
    url: `${provider.url}/v1`,
    allowedUsers: [USER],
    ...profile,
    telegram: { apiRoot: api.url, editEveryMs: 50, ...telegram },
  });
  let log = '';
  const ends: (() => Promise<void>)[] = [];
  onTestFinished(async () => {
    await Promise.all(ends.map((end) => end()));
    await Promise.all([api.close(), provider.close()]);
  });
  const said = (chat: number) => api.messages.filter((message) => message.chat === chat).map(({ text }) => text);
  const isWorded = (text: string) => text !== '…' && !text.endsWith(' …');
  return {
    api,
    provider,
    given,
    log: () => log,
    said,
    sizes: () => [...seen.values()].map(({ tokens, status }) => ({ tokens, status })),
    start() {
      const ending = new AbortController();
      const terminal = {
        stdin: process.stdin,
        stdout: { write: () => true },
        stderr: { write: (text: string) => (log += text) },
        env: ENV,
        now: Date.now,
      };
      const running = runTelegram({ config: given.config, signal: ending.signal }, terminal);
      const end = async () => {
        ending.abort();
        await running;
      };
      ends.push(end);
      return end;
    },
    async untilSaid(chat, count) {
      await api.until(() => said(chat).filter(isWorded).length >= count);
      return said(chat);
    },
  };
}
