// Real clients through the real gateway. `npm run test:clients` plays everything; with ULLAGE_CLIENTS=short one plain scenario per client program.
import { describe, expect, test } from 'vitest';
import { realClients } from './real-clients.ts';
import { mainRequests, prose, shellCall, withScene } from './scenarios.ts';

const isShort = process.env.ULLAGE_CLIENTS === 'short';
/** Of a program that speaks several APIs, the first. */
const clients = realClients().filter(
  ({ name }, index, all) => !isShort || all.findIndex((other) => programOf(other.name) === programOf(name)) === index,
);

function programOf(name: string): string {
  return name.split(' (')[0]!;
}

/** Room for the largest preamble (Claude Code: 27,000 tokens) and several turns. */
const WINDOW_TOKENS = 150_000;
/** Below the length of one argument that Linux passes to a program (128 KiB). */
const TURN_TOKENS = 20_000;

describe.each(clients)('$name', (client) => {
  test('F24 a plain turn, and the next one after the gateway was restarted', async () => {
    await withScene({ client }, async ({ provider, turn, restart, ask }) => {
      const first = await turn('Say something.');
      expect(first, first.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('forty-two') });
      await restart();
      const second = await turn('And more.');
      expect(second, second.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('forty-two') });
      expect(provider.requests.filter(({ status }) => status !== 200)).toEqual([]);
      const last = JSON.stringify(mainRequests(provider).at(-1)?.body);
      for (const text of ['Say something.', 'forty-two', 'And more.']) expect(last).toContain(text);
      expect(await ask('sessions')).toMatchObject({
        sessions: expect.arrayContaining([expect.objectContaining({ key: expect.any(String) })]),
      });
    });
  });

  // The rest takes minutes, most of them opencode's starts.
  if (isShort) return;

  test('F07 a tool round', async () => {
    const provider = {
      answer: (request: Parameters<typeof shellCall>[0]) =>
        JSON.stringify(request.body).includes('marzipan') ? 'The shell said it.' : (shellCall(request, 'marzipan') ?? 'A title'),
    };
    await withScene({ client, provider }, async ({ provider: upstream, turn }) => {
      const run = await turn('Print a word with the shell.');
      expect(run, run.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('The shell said it.') });
      expect(upstream.requests.filter(({ status }) => status !== 200)).toEqual([]);
      expect(mainRequests(upstream).length).toBeGreaterThanOrEqual(2);
    });
  });

  test('F02 F33 a session that outgrows the window is folded once, and goes on', async () => {
    await withScene({ client, windowTokens: WINDOW_TOKENS, provider: { window: WINDOW_TOKENS } }, async ({ provider, turn, gateway }) => {
      for (let part = 1; part <= 6; part++) {
        const run = await turn(`${prose(part, TURN_TOKENS)} What does part ${part} say?`);
        expect(run, `turn ${part}: ${run.stderr}`).toMatchObject({ code: 0, stdout: expect.stringContaining('forty-two') });
      }
      expect(provider.requests.filter(({ status }) => status !== 200)).toEqual([]);
      const sizes = mainRequests(provider).map(({ tokens }) => tokens);
      expect(Math.max(...sizes)).toBeLessThan(WINDOW_TOKENS);
      expect(gateway.totals().compactions).toBeGreaterThanOrEqual(1);
      expect(gateway.totals().compactions).toBeLessThanOrEqual(3);
      expect(JSON.stringify(mainRequests(provider).at(-1)?.body)).toContain('harbour-6-1');
    });
  });

  test('F22 an overflow nobody foresaw is recovered without the client noticing', async () => {
    await withScene({ client, provider: { window: 60_000 } }, async ({ provider, turn }) => {
      for (let part = 1; part <= 3; part++) {
        const run = await turn(`${prose(part, TURN_TOKENS)} What does part ${part} say?`);
        expect(run, `turn ${part}: ${run.stderr}`).toMatchObject({ code: 0, stdout: expect.stringContaining('forty-two') });
      }
      expect(provider.requests.some(({ status }) => status === 400)).toBe(true);
      expect(mainRequests(provider).at(-1)?.status).toBe(200);
    });
  });

  test('F22 F28 an overflow that stays reaches the client in the provider’s own words', async () => {
    const script = [{ type: 'overflow', at: 'always' }] as const;
    await withScene({ client, provider: { script } }, async ({ provider, turn, ask }) => {
      await turn('Say something.');
      const answered = provider.requests.filter(({ number }) => number !== undefined);
      expect(answered.length).toBeGreaterThan(0);
      expect(answered.length).toBeLessThan(20);
      expect(answered.every(({ status }) => status === 400)).toBe(true);
      const { sessions } = (await ask('sessions')) as { sessions: readonly unknown[] };
      expect(sessions.length).toBeGreaterThan(0);
    });
  });
});
