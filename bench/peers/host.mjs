// Runs one peer: the folder of its adapter is the argument, questions come over the channel of the process that started it.
// Nothing it loads may reach the network.
import net from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { summarizerOf } from './scripted-summarizer.mjs';

function refuse() {
  throw new Error('No network while measuring.');
}
net.Socket.prototype.connect = refuse;
globalThis.fetch = async () => refuse();

const SEED = 1;
let state = SEED;
/** Names that a peer draws by lot are the same in each run. */
Math.random = () => {
  state = (state * 48_271) % 2_147_483_647;
  return state / 2_147_483_647;
};

const folder = process.argv[2];
let adapter;
/** Text of the messages loaded last: each run gets a copy of its own. */
let loaded = '[]';

async function answer(question) {
  adapter ??= await import(pathToFileURL(path.join(folder, 'adapter.mjs')).href);
  const { strategies } = adapter;
  if (!Array.isArray(strategies)) throw new Error('Its adapter exports no list of strategies.');
  if (question.do === 'open') return { strategies: strategies.map(({ name, hasSummary, ways }) => ({ name, hasSummary, ways })) };
  if (question.do === 'load') {
    loaded = JSON.stringify(question.messages);
    return { levels: Object.fromEntries(strategies.map(({ name, levelsOf }) => [name, levelsOf(question.messages).length])) };
  }
  const { levelsOf, run } = strategies.find(({ name }) => name === question.name);
  const messages = JSON.parse(loaded);
  state = SEED;
  const setting = levelsOf(messages)[question.level];
  return { messages: await run(messages, setting, { way: question.way, summarizer: summarizerOf(question.summaryTokens) }) };
}

process.on('disconnect', () => process.exit());
process.on('message', (question) => {
  const { id } = question;
  answer(question).then(
    (own) => process.send({ ...own, id }),
    (error) => process.send({ error: String(error?.message ?? error).slice(0, 500), id }),
  );
});
