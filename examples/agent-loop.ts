// An agent loop of one's own on ullage, with a scripted model in place of a provider: 60 turns in a window of 16,000 tokens.
// Run in a checkout: npx tsx examples/agent-loop.ts
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sqliteStore } from '../src/adapters/sqlite/index.ts';
import { createUllage } from '../src/index.ts';

interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** Answers with a long text and counts the prompt like a provider would. */
async function scriptedModel(body: { readonly messages: readonly Message[] }) {
  const promptTokens = Math.ceil(JSON.stringify(body).length / 4);
  const topic = body.messages.at(-1)?.content.slice(0, 40) ?? '';
  const content = `About ${topic}: ${'one more thing to remember, '.repeat(40)}`;
  return { content, usage: { prompt_tokens: promptTokens, completion_tokens: 300 } };
}

const folder = mkdtempSync(path.join(tmpdir(), 'ullage-example-'));
const ullage = createUllage({
  store: sqliteStore(path.join(folder, 'agent.db')),
  api: 'openai-chat',
  models: { window: 16_000, maxOutputTokens: 1_000 },
});
ullage.on('compaction-committed', (outcome) => console.log(`  ${outcome.message}`));

const session = await ullage.session('example');
const messages: Message[] = [];
for (let turn = 1; turn <= 60; turn++) {
  messages.push({ role: 'user', content: `Question ${turn} about file-${turn}.ts. ${turn === 1 ? 'Never delete a file.' : ''}` });
  const answer = await session.send({ model: 'scripted', messages: [...messages] }, (body) => scriptedModel(body));
  messages.push({ role: 'assistant', content: answer.content });
}

console.log(`${messages.length} messages in the transcript, the newest request fits ${16_000} tokens.`);
console.log(`Found again: ${(await session.search('file-2.ts')).length} entries that name file-2.ts.`);
console.log(`Guard: ${(await session.guard()).decision}`);
await ullage.close();
rmSync(folder, { recursive: true, force: true });
