// One session of many turns in a small window: how large its requests are, how much work its answers are, what compactions it buys.
import { newestUserText, type TelegramWorld, telegramWorld, USER } from './telegram-world.ts';

export interface LongSession {
  /** Input tokens of each request, by the provider's count. */
  readonly tokens: readonly number[];
  /** Processor time from each message to its answer: of bot, provider and Bot API together, milliseconds. Waiting for others is left out. */
  readonly workMs: readonly number[];
  readonly refused: number;
  readonly notices: readonly string[];
}

export const WINDOW = 32_000;

const WORDS = 'port cache index worker retry branch schema header socket queue render commit token parser module failure'.split(' ');

/** Different words each turn, the same each time. */
function words(turn: number, count: number): string {
  return Array.from({ length: count }, (_, at) => `${WORDS[(turn * 31 + at * 7) % WORDS.length]}${(turn * 17 + at) % 997}`).join(' ');
}

export async function playLongSession(turns: number): Promise<LongSession> {
  const world = await telegramWorld({
    profile: { window: WINDOW, notices: 'all' },
    provider: {
      window: WINDOW,
      maxKeptBytes: 1_000_000,
      maxRequests: 5_000,
      answer: ({ body }) => `Answer to: ${newestUserText(body).slice(0, 20)} ${words(newestUserText(body).length, 90)}`,
    },
  });
  world.start();
  const workMs: number[] = [];
  for (let turn = 1; turn <= turns; turn++) {
    const before = process.cpuUsage();
    world.api.say(USER, `Turn ${turn}: ${words(turn, 60)}`);
    await world.api.until(() => isAnswered(world, turn));
    const { user, system } = process.cpuUsage(before);
    workMs.push((user + system) / 1_000);
  }
  const sizes = world.sizes();
  return {
    tokens: sizes.map(({ tokens }) => tokens),
    workMs,
    refused: sizes.filter(({ status }) => status !== 200).length,
    notices: world.said(USER).filter((text) => text.startsWith('ℹ️')),
  };
}

/** The newest message of the bot, or the one before a notice, is the whole answer. */
function isAnswered({ api }: TelegramWorld, turn: number): boolean {
  return api.messages.slice(-3).some(({ text }) => text.startsWith(`Answer to: Turn ${turn}:`) && !text.endsWith(' …'));
}
