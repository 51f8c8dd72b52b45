// The founding incidents as they are called. `restart` starts and kills real processes.
import { describe, expect, test } from 'vitest';
import { runInTest } from '../testing/run-in-test.ts';
import { messagesOf220 } from './incident-220-history.ts';

const PROCESSES_MS = 180_000;

interface Process {
  readonly summaryCalls: number;
  readonly guard: { readonly decision: string; readonly state: string; readonly strikes: number };
  readonly guardSeenElsewhere?: Process['guard'];
  readonly reports: readonly {
    readonly type: string;
    readonly outcome?: { readonly status: string; readonly reason?: string; readonly retryAtMs?: number };
  }[];
}

describe('--incident restart (F20)', () => {
  test(
    'killed processes buy at most two useless summaries, say why, agree, and are cleared for good',
    async () => {
      const { exitCode, stdout, stderr } = await runInTest(['replay', '--incident', 'restart', '--json']);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      const { isKept, acts, promises } = JSON.parse(stdout) as {
        isKept: boolean;
        acts: { name: string; processes: Process[] }[];
        promises: { isKept: boolean }[];
      };
      expect(isKept).toBe(true);
      expect(promises).toHaveLength(6);
      const [same, changing] = acts.map(({ processes }) => processes);
      expect(same!.map(({ summaryCalls }) => summaryCalls)).toEqual([0, 0]);
      expect(changing!.map(({ summaryCalls }) => summaryCalls)).toEqual([1, 1, 0, 0, 0, 1, 0]);
      const blocked = changing!.flatMap(({ reports }) => reports).filter(({ outcome }) => outcome?.status === 'blocked');
      expect(blocked).toHaveLength(3);
      for (const { outcome } of blocked) expect(outcome).toMatchObject({ reason: 'guard_ineffective', retryAtMs: expect.any(Number) });
      expect(changing![4]!.guardSeenElsewhere).toMatchObject({ decision: 'blocked', strikes: 2 });
      expect(changing!.at(-1)!.guard).toMatchObject({ decision: 'allow', state: 'clear', strikes: 0 });
    },
    PROCESSES_MS,
  );
});

describe('--incident 220 (F28, F03)', () => {
  test('the history has 220 messages', () => {
    expect(messagesOf220()).toHaveLength(220);
  });

  test('fewer tokens in as many messages are a success; a message limit lowers their number', async () => {
    const { exitCode, stdout } = await runInTest(['replay', '--incident', '220', '--json']);
    expect(exitCode).toBe(0);
    const { isKept, parts } = JSON.parse(stdout);
    expect(isKept).toBe(true);
    expect(parts[0]).toMatchObject({
      name: 'token_threshold',
      before: { tokens: 288_028, messages: 220 },
      after: { messages: 220 },
      isValid: true,
    });
    expect(parts[0].after.tokens).toBeLessThanOrEqual(183_180);
    expect(parts[0].outcome).toMatchObject({ status: 'compacted', triggerReason: 'token_threshold', exhausted: false });
    expect(parts[1]).toMatchObject({ name: 'message_hygiene', before: { messages: 220 }, after: { messages: 150 }, isValid: true });
    expect(parts[1].outcome).toMatchObject({ status: 'compacted', triggerReason: 'message_hygiene', exhausted: false });
  });

  test('for people it tells the story and what held', async () => {
    const { stdout } = await runInTest(['replay', '--incident', '220']);
    expect(stdout).toContain('Founding incident 2');
    expect(stdout.match(/✓/g)).toHaveLength(2);
    expect(stdout).not.toContain('✗');
  });
});
