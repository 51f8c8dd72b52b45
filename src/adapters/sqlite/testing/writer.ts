// A process that writes rounds to a store: `node writer.ts PATH NAME COUNT`. It prints what it begins and what the store has confirmed.
import { writeSync } from 'node:fs';
import { argv } from 'node:process';
import { sqliteStore } from '../index.ts';
import { appendRound, commitRound, prepareRounds } from './rounds.ts';

const STDOUT = 1;
const [path = '', name = '', count = '0'] = argv.slice(2);
const say = (line: string): void => void writeSync(STDOUT, `${line}\n`);

const store = sqliteStore(path, { retryForMs: 120_000, busyTimeoutMs: 5 });
await store.open();
await prepareRounds(store);
for (let round = 0; round < Number(count); round += 1) {
  say(`appending ${round}`);
  await appendRound(store, { name, round });
  say(`appended ${round}`);
  await commitRound(store, { name, round });
  say(`committed ${round}`);
}
await store.close();
