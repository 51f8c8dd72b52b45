// A process that writes rounds to a store: `node writer.ts PATH NAME COUNT [STATEMENTS]`. It prints what the store has confirmed, and kills
// itself before the statement of that number.
import { writeSync } from 'node:fs';
import { argv, kill, pid } from 'node:process';
import { sqliteStore } from '../index.ts';
import { driverWith, watched } from './driver.ts';
import { appendRound, commitRound, prepareRounds } from './rounds.ts';

const STDOUT = 1;
const [path = '', name = '', count = '0', statements = 'Infinity'] = argv.slice(2);
const say = (line: string): void => void writeSync(STDOUT, `${line}\n`);

let left = Number(statements);
const driver = await driverWith((connection) =>
  watched(connection, () => {
    if (left === 0) kill(pid, 'SIGKILL');
    left -= 1;
  }),
);
const store = sqliteStore(path, { driver, retryForMs: 120_000, busyTimeoutMs: 5 });
await store.open();
await prepareRounds(store);
for (let round = 0; round < Number(count); round += 1) {
  await appendRound(store, { name, round });
  say(`appended ${round}`);
  await commitRound(store, { name, round });
  say(`committed ${round}`);
}
await store.close();
