// `ullage telegram`: a bot until it is told to end. Whatever it was doing then goes on at the next start.

import { setTimeout as wait } from 'node:timers/promises';
import type * as Grammy from 'grammy';
import { UllageError } from '../../../index.ts';
import type { Terminal } from '../../cli/terminal/terminal.ts';
import { type Chat, openChat } from '../chat.ts';
import { type LoadedProfile, loadProfile } from '../config/load-config.ts';
import { createSecrets } from '../config/secrets.ts';
import { createLog } from '../log.ts';
import { loadPackage } from '../missing-package.ts';
import { createRuntime } from '../runtime.ts';
import { type BotApi, BotApiFault, createBotApi, isTokenRefused, POLL_SECONDS } from './bot-api.ts';
import { type Bot, sourceOf } from './intake.ts';
import { Pace } from './pace.ts';
import { poll } from './poll.ts';
import type { Storing } from './store-updates.ts';
import { telegramChannel } from './telegram-channel.ts';
import { listenForWebhook } from './webhook.ts';

export interface TelegramOptions {
  readonly config?: string;
  readonly profile?: string;
  readonly db?: string;
  /** Ends the bot. Default: SIGINT and SIGTERM. */
  readonly signal?: AbortSignal;
}

export async function runTelegram(options: TelegramOptions, terminal: Terminal): Promise<void> {
  const loaded = await loadProfile({ file: options.config, profile: options.profile, database: options.db });
  requireAllowList(loaded);
  const secrets = createSecrets(terminal.env);
  const { tokenEnv, apiRoot, webhook } = loaded.profile.telegram;
  const token = secrets.read(tokenEnv, 'telegram.tokenEnv');
  const webhookSecret = webhook && secrets.read(webhook.secretEnv, 'telegram.webhook.secretEnv');
  const log = createLog({ write: (text) => terminal.stderr.write(text), secrets, now: terminal.now });
  if (loaded.databaseNote !== undefined) log.write('warn', loaded.databaseNote);
  const grammy = await loadPackage('grammy', 'Telegram', () => import('grammy'));
  const client = { timeoutSeconds: LONGEST_CALL_SECONDS, ...(apiRoot === undefined ? {} : { apiRoot }) };
  const fileRoot = `${apiRoot ?? TELEGRAM}/file/bot${token}`;
  const api = createBotApi(new grammy.Api(token, client), { redact: secrets.redact, fileRoot });
  const signal = options.signal ?? endingSignal();
  const chat = await openChat({ loaded, secrets, log, now: terminal.now });
  try {
    const bot = await whoAmI(api, { chat, signal });
    const grammyBot = new grammy.Bot(token, { client, botInfo: { ...BOT_INFO, ...bot } });
    await serve({ chat, api, bot, grammy, grammyBot, webhookSecret, signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await chat.close();
  }
}

/** What grammY wants to know of a bot, and nothing here looks at. */
const BOT_INFO = { is_bot: true, first_name: 'bot', can_join_groups: true } as unknown as Grammy.Bot['botInfo'];

function requireAllowList({ name, profile }: LoadedProfile): void {
  if (profile.allowedUsers.length + profile.allowedChats.length > 0) return;
  throw new UllageError('option_invalid', `profiles.${name}.allowedUsers is empty: name the people or chats that may use the bot.`, {
    hint: 'Write to the bot once it runs with any number in it: it answers with the id that is missing.',
  });
}

function endingSignal(): AbortSignal {
  const ending = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => ending.abort());
  return ending.signal;
}

const TELEGRAM = 'https://api.telegram.org';
const RETRY_MS = 2_000;
/** A connection that is dead without a word is given up after this. */
const LONGEST_CALL_SECONDS = POLL_SECONDS + 10;

interface Waiting {
  readonly chat: Chat;
  readonly signal: AbortSignal;
}

/** Waits for the network; a refused token is told at once. */
async function whoAmI(api: BotApi, waiting: Waiting): Promise<Bot> {
  try {
    const { id, username } = await untilReached(waiting, () => api.getMe(waiting.signal));
    return { id, username };
  } catch (error) {
    throw error instanceof BotApiFault ? refusedToken(error) : error;
  }
}

/** As often as it takes; what is refused is thrown. */
async function untilReached<T>({ chat, signal }: Waiting, call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof BotApiFault) || error.kind === 'refused') throw error;
      chat.log.write('warn', 'Telegram cannot be reached yet; trying again.', { error: error.message });
      await wait(Math.max(RETRY_MS, error.retryAfterMs), undefined, { signal });
    }
  }
}

function refusedToken(cause: BotApiFault): UllageError {
  return new UllageError('option_invalid', `Telegram refuses the bot token (${cause.message}).`, {
    hint: 'Ask @BotFather for it with /token.',
  });
}

function refusedWebhook(cause: BotApiFault): UllageError {
  return new UllageError('option_invalid', `Telegram refuses telegram.webhook.url (${cause.message}).`, {
    hint: 'It must be an https address that Telegram can reach. Without telegram.webhook the bot asks for updates itself.',
  });
}

interface Serving {
  readonly chat: Chat;
  readonly api: BotApi;
  readonly bot: Bot;
  readonly grammy: typeof Grammy;
  readonly grammyBot: Grammy.Bot;
  readonly webhookSecret?: string;
  readonly signal: AbortSignal;
}

async function serve({ chat, api, bot, grammy, grammyBot, webhookSecret, signal }: Serving): Promise<void> {
  const { profile, log } = chat;
  const { editEveryMs, parallel, webhook } = profile.telegram;
  const channel = telegramChannel({ chat, api, pace: new Pace(editEveryMs, () => performance.now()) }, sourceOf(bot));
  const ending = new AbortController();
  const either = AbortSignal.any([signal, ending.signal]);
  const runtime = createRuntime({ chat, channel, parallel, signal: either });
  const storing: Storing = { chat, bot, access: profile, wake: runtime.wake };
  const working = runtime.run();
  log.write('info', 'The bot runs.', { bot: bot.username, by: webhook === undefined ? 'long polling' : 'webhook' });
  try {
    if (webhook === undefined || webhookSecret === undefined) {
      await poll({ ...storing, api, owner: runtime.owner, signal: either });
    } else {
      const { webhookCallback } = grammy;
      const listening = await listenForWebhook({ ...storing, config: webhook, secret: webhookSecret, grammyBot, webhookCallback });
      log.write('info', 'Listening for updates.', { port: listening.port });
      try {
        await untilReached({ chat, signal: either }, () => api.setWebhook(webhook.url, webhookSecret, either));
        await aborted(either);
      } finally {
        await listening.close();
      }
    }
  } catch (error) {
    if (!(error instanceof BotApiFault) || signal.aborted) throw error;
    throw webhook === undefined || isTokenRefused(error) ? refusedToken(error) : refusedWebhook(error);
  } finally {
    ending.abort();
    await working;
    log.write('info', 'The bot ends.');
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
