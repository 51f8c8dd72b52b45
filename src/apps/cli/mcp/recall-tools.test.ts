// What the tools of `ullage mcp` answer, on a store in memory: everything stored can be read, in pieces of bounded size.
import { expect, test } from 'vitest';
import { createUllage } from '../../../index.ts';
import { memoryStore } from '../../../testkit/index.ts';
import { recallTools } from './recall-tools.ts';

const lines = Array.from({ length: 300 }, (_, index) => `line ${index} ${'x'.repeat(200)}`).join('\n');

test.each([
  ['one line of minified JSON', `[${Array.from({ length: 9_000 }, (_, index) => `{"row":${index}}`).join(',')}]`],
  ['one line of pictures', '📥'.repeat(40_000)],
  ['many lines', lines],
  ['an empty line at the end', `${lines}\n`],
])('%s is read to its end, range by range', async (_, content) => {
  const store = memoryStore();
  const session = await createUllage({ store, api: 'openai-chat', models: { window: 1_000_000 } }).session('k');
  await session.prepare({ model: 'm', messages: [{ role: 'user', content: `needle ${content}` }] });
  const [hit] = await session.search('needle');
  const tools = recallTools(store, { tenant: 'local' });
  const read: string[] = [];
  for (let fromLine = 1; ; ) {
    const text = await tools.read({ handle: hit!.handle, fromLine });
    expect(text.length).toBeLessThan(25_000);
    expect(text.isWellFormed()).toBe(true);
    const [, end, of] = /^\[lines \d+–(\d+) of (\d+)\]\n/.exec(text)!;
    read.push(text.slice(text.indexOf('\n') + 1));
    if (end === of) break;
    fromLine = Number(end) + 1;
  }
  expect(read.join('\n').replaceAll('\n', '')).toBe(`needle ${content}`.replaceAll('\n', ''));
});
