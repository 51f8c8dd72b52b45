// The two founding incidents, through the bot.
import { expect, it, vi } from 'vitest';
import { MCP_SERVER } from './support.ts';
import { echo, telegramWorld, USER } from './telegram-world.ts';

/** Real processes on a machine that may be busy. */
const SLOW_MS = 240_000;
vi.setConfig({ testTimeout: SLOW_MS });

const SUMMARY = '## Goal\nMigrate the service.\n\n## Done\n1. Read the files and noted their values.\n';

it('incident 1: a floor of 48,000 tokens under a threshold of 50,000, restarted five times, buys no further summary and says why (F20)', async () => {
  // Only the provider sees them: no estimate knows of them before it has measured.
  const hiddenTokens = 48_000;
  const isSummary = (request: { readonly model?: string }) => request.model === 'summarizer';
  const world = await telegramWorld({
    profile: {
      window: 200_000,
      threshold: 50_000,
      target: 30_000,
      tailTokens: 4_000,
      maxOutputTokens: 4_000,
      system: 'HIDDEN You migrate services.',
      summarizer: { model: 'summarizer' },
    },
    provider: {
      window: 200_000,
      count: (text) => Math.ceil(text.length / 4) + (text.includes('HIDDEN') ? hiddenTokens : 0),
      answer: (request) => (isSummary(request) ? SUMMARY : `${echo(request)} ${'It is noted. '.repeat(60)}`),
    },
  });
  const summaries = () => world.provider.requests.filter(isSummary).length;
  let said = 0;
  const turns = async (count: number) => {
    for (let turn = 0; turn < count; turn++) {
      world.api.say(USER, `Go on with part ${said} ${'and look closely '.repeat(60)}`);
      said++;
      await world.untilSaid(USER, said);
    }
  };
  let end = world.start();
  await turns(6);
  const bought: number[] = [];
  for (let restart = 0; restart < 5; restart++) {
    await end();
    bought.push(summaries());
    end = world.start();
    await turns(3);
  }
  expect(new Set(bought.slice(1))).toEqual(new Set([bought.at(-1)]));
  expect(summaries()).toBeLessThanOrEqual(2);
  world.api.say(USER, '/status');
  said++;
  const status = (await world.untilSaid(USER, said)).at(-1)!;
  expect(status).toMatch(/Automatic compaction: (off, because it would gain nothing|rests, because)/);
  expect(status).toContain('tokens that only the provider counts');
});

it('incident 2: 220 messages stay 220 while 288,028 tokens become about 183,180; the session goes on, and the notice is true (F28, F03)', async () => {
  // 21 steps of ten messages and one of eight, behind the system prompt and the ask.
  const steps = 22;
  const chars = 5_418;
  const callsOf = (step: number) =>
    Array.from({ length: step < steps ? 9 : 7 }, (_, call) => ({ name: 'files_read', arguments: { part: step * 9 + call, chars } }));
  let asked = 0;
  const world = await telegramWorld({
    profile: {
      window: 1_000_000,
      threshold: 287_000,
      target: 183_000,
      messageLimit: 220,
      maxSteps: 200,
      maxOutputTokens: 8_000,
      notices: 'all',
      mcpServers: { files: MCP_SERVER },
    },
    provider: {
      window: 1_000_000,
      maxKeptBytes: 400_000_000,
      answer: (request) => (asked++ < steps ? { toolCalls: callsOf(asked) } : echo(request)),
    },
  });
  world.start();
  world.api.say(USER, 'Find why the nightly build fails and mend it. Never push to main.');
  const said = await world.untilSaid(USER, 2);
  const asked220 = world.provider.requests.at(-1)!;
  expect(asked220.body.messages).toHaveLength(220);
  const [, from, to] =
    /^ℹ️ Compacted at the threshold: ([\d,]+) tokens became ([\d,]+) tokens; still 220 messages, but shorter;/.exec(said[1]!) ?? [];
  const tokens = (text: string | undefined) => Number(text!.replaceAll(',', ''));
  expect(Math.abs(tokens(from) - 288_028)).toBeLessThan(200);
  expect(Math.abs(tokens(to) - 183_180)).toBeLessThan(500);
  world.api.say(USER, 'And now?');
  const more = await world.untilSaid(USER, 4);
  const last = world.provider.requests.at(-1)!;
  expect(more[3]).toMatch(/more messages than the message limit/);
  expect((last.body.messages as unknown[]).length).toBeLessThan(220);
  // Nothing was reset: what was asked first is still there, word for word.
  expect(JSON.stringify(last.body)).toContain('Find why the nightly build fails and mend it. Never push to main.');
  for (const text of more) expect(text).not.toMatch(/context length|exceed|continuation|cannot go on/i);
});
