import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { loadModelFactory, loadSdk } from '../model/language-model.ts';
import { openDatabase } from '../store/database.ts';
import { addItem, beginNext } from '../store/inbox.ts';
import { claimLease } from '../store/lease.ts';
import { addStep, openTurn, stepsOf } from '../store/turns.ts';
import { runTurn, StoppedByUser } from './run-turn.ts';
import type { TurnRun } from './turn-run.ts';

it('a turn that is stopped keeps what tools gave, and tells which ran and which did not', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'ullage-turn-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const db = await openDatabase(path.join(folder, 'chat'));
  onTestFinished(() => db.close());
  const given = { source: 'x', updateId: 1, session: 's', kind: 'text', text: 'Do it', address: {} } as const;
  const calls = ['one', 'two', 'three'].map((name) => ({ type: 'tool-call' as const, toolCallId: name, toolName: name, input: {} }));
  const { item, lease } = await db.write((sql) => {
    addItem(sql, given, 0);
    const begun = beginNext(sql, 's', 'x')!;
    const claimed = claimLease(sql, { session: 's', owner: '["a",1]', nowMs: 0 })!;
    openTurn(sql, begun, { role: 'user', content: 'Do it' });
    addStep(sql, { itemId: begun.id, epoch: 1, position: 1 }, { role: 'assistant', content: calls });
    return { item: begun, lease: claimed };
  });
  const stopping = new AbortController();
  const toolBox = {
    lookForMissing: async () => {},
    run: async (name: string) => {
      if (name === 'one') return { text: 'Result of one', isError: false };
      stopping.abort(new StoppedByUser());
      throw stopping.signal.reason;
    },
  };
  const endpoint = { api: 'openai-chat', model: 'm', url: 'http://127.0.0.1:1' } as const;
  const door = { sdk: await loadSdk(), models: await loadModelFactory([endpoint]), endpoint };
  const chat = {
    db,
    toolBox,
    door,
    now: () => 0,
    profile: { api: endpoint.api, maxSteps: 5 },
    conversations: { session: async () => ({}) },
  };
  const progress = { text: () => {}, tool: () => {} };
  const answered = await runTurn({ chat, lease, item, progress, signal: stopping.signal, wait: async () => {} } as unknown as TurnRun);
  expect(answered.text).toBe('(Stopped.)');
  const steps = await db.read((sql) => stepsOf(sql, item.id, 1));
  const outputs = JSON.parse(JSON.stringify(steps[2]!.content)) as { readonly output: { readonly value: string } }[];
  expect(outputs.map(({ output }) => output.value)).toEqual([
    'Result of one',
    'Stopped by the user while it ran: whether it had an effect is not known.',
    'Stopped by the user before it ran.',
  ]);
});
