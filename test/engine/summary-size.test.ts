// What is sent has the size that is told: a summary that stands by itself costs its message, not its text alone.
import { describe, expect, it } from 'vitest';
import { grown, makeWorld } from '../support/world.ts';

describe('the size after a compaction', () => {
  it.each(['openai-chat', 'anthropic', 'openai-responses'] as const)('is that of the body by itself (%s)', async (api) => {
    for (const turns of [5, 6]) {
      const session = await makeWorld(api).session();
      const conversation = grown(api, turns);
      const prepared = await session.prepare(conversation.ask());
      expect(prepared.outcome).toMatchObject({ status: 'compacted', newRequestTokens: prepared.context.tokens });
      // A stranger counts the same body.
      const alone = await (await makeWorld(api, { models: { window: 200_000 } }).session()).prepare(prepared.body);
      expect(alone.outcome).toBeUndefined();
      expect(alone.context.tokens).toBe(prepared.context.tokens);
    }
  });
});
