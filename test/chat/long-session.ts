// One session of many turns in a small window: how large its requests are, how long its answers take, what compactions it buys.
import { newestUserText, type TelegramWorld, telegramWorld, USER } from './telegram-world.ts';

export interface LongSession {
  /** Input tokens of each request, by the provider's count. */
  readonly tokens: readonly number[];
  /** From the message to its answer, milliseconds. */
  readonly answerMs: readonly number[];
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
  const answerMs: number[] = [];
  for (let turn = 1; turn <= turns; turn++) {
    const sinceMs = performance.now();
    world.api.say(USER, `Turn ${turn}: ${words(turn, 60)}`);
    await world.api.until(() => isAnswered(world, turn));
    answerMs.push(performance.now() - sinceMs);
  }
  const sizes = world.sizes();
  return {
    tokens: sizes.map(({ tokens }) => tokens),
    answerMs,
    refused: sizes.filter(({ status }) => status !== 200).length,
    notices: world.said(USER).filter((text) => text.startsWith('ℹ️')),
  };
}

/** The newest message of the bot, or the one before a notice, is the whole answer. */
function isAnswered({ api }: TelegramWorld, turn: number): boolean {
  return api.messages.slice(-3).some(({ text }) => text.startsWith(`Answer to: Turn ${turn}:`) && !text.endsWith(' …'));
}
