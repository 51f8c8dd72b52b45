// What is held for `recover` by hand is bounded: many small requests, or the newest large ones.
import { expect, it } from 'vitest';
import { createUllage } from '../../src/index.ts';
import { memoryStore } from '../../src/testkit/index.ts';

const OVERFLOW = {
  status: 400,
  error: { code: 'context_length_exceeded', message: 'Your input exceeds the context window of this model.' },
};

async function actionsFor(requests: number, chars: number): Promise<readonly string[]> {
  const ullage = createUllage({ store: memoryStore(), api: 'openai-chat', models: { window: 10_000_000 } });
  const session = await ullage.session('held');
  const messages: object[] = Array.from({ length: 40 }, (_, index) => [
    { role: 'user', content: `ask ${index} ${'word '.repeat(chars / 400)}` },
    { role: 'assistant', content: `answer ${index} ${'word '.repeat(chars / 400)}` },
  ]).flat();
  const ids: string[] = [];
  for (let request = 0; request < requests; request++) {
    ids.push((await session.prepare({ model: 'm', messages: [...messages, { role: 'user', content: `question ${request}` }] })).id);
  }
  const actions: string[] = [];
  for (const id of ids) {
    const recovery = await session.recover(id, OVERFLOW);
    actions.push(recovery.action === 'retry' ? 'retry' : String(recovery.error.message.includes('no longer held')));
  }
  await ullage.close();
  return actions;
}

it('holds many small requests at once', async () => {
  const actions = await actionsFor(10, 40_000);
  expect(actions).not.toContain('true');
});

it('of large ones it holds the newest, and says of the others that their body is gone', async () => {
  const actions = await actionsFor(6, 3_000_000);
  expect(actions.slice(0, 3)).toEqual(['true', 'true', 'true']);
  expect(actions.at(-1)).not.toBe('true');
}, 120_000);
