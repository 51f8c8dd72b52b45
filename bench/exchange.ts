// What ullage.fetch adds to one exchange of some 2 KB: before the upstream is asked, and between its answer and the caller's last byte.
// Run: npx tsx bench/exchange.ts
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sqliteStore } from '../src/adapters/sqlite/index.ts';
import { createUllage } from '../src/index.ts';
import { median } from './median.ts';

const EXCHANGES = 900;
/** The first run code that is not compiled yet. */
const WARM_UP = 300;
const PER_SESSION = 12;
const URL = 'http://upstream.test/v1/chat/completions';

const tools = ['read', 'write'].map((name) => ({ type: 'function', function: { name, description: `${name} a file`, parameters: {} } }));
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ullage-bench-'));
const store = sqliteStore(path.join(folder, 'exchange.db'));
const ullage = createUllage({ store, api: 'openai-chat', models: { window: 50_000_000, maxOutputTokens: 1_000 } });

let askedAtMs = 0;
let answeredAtMs = 0;
let promptTokens = 0;
async function upstream(): Promise<Response> {
  askedAtMs = performance.now();
  const choices = [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }];
  const usage = { prompt_tokens: promptTokens, completion_tokens: 2, total_tokens: promptTokens + 2 };
  const response = Response.json({ object: 'chat.completion', choices, usage });
  answeredAtMs = performance.now();
  return response;
}

const parse: number[] = [];
const before: number[] = [];
const after: number[] = [];
const messages: object[] = [];
for (let index = 0; index < EXCHANGES; index++) {
  if (index % PER_SESSION === 0) messages.length = 0;
  const send = ullage.fetch(`session ${Math.floor(index / PER_SESSION)}`, { fetch: upstream });
  messages.push({ role: 'user', content: `question ${index} ${'with words '.repeat(12)}` });
  promptTokens = 100 + 30 * messages.length;
  const body = JSON.stringify({ model: 'm', tools, messages });
  let start = performance.now();
  JSON.parse(body);
  if (index >= WARM_UP) parse.push(performance.now() - start);
  start = performance.now();
  const response = await send(URL, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  await response.text();
  if (index >= WARM_UP) after.push(performance.now() - answeredAtMs);
  if (index >= WARM_UP) before.push(askedAtMs - start);
  messages.push({ role: 'assistant', content: `ok ${index}` });
  // A person, or a tool, takes longer than what follows an answer.
  for (let turn = 0; turn < 4; turn++) await nextTurn();
}
const goalMs = 1 + 4 * median(parse);
console.log(`before the upstream is asked: ${median(before).toFixed(2)} ms (goal ${goalMs.toFixed(2)} ms)`);
console.log(`from its answer to the caller's last byte: ${median(after).toFixed(2)} ms`);
await ullage.close();
fs.rmSync(folder, { recursive: true, force: true });
