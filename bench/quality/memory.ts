// Memory of one compaction of a 4 MB request, in a process of its own that does nothing else. Run by main.ts: the raw messages come on
// standard input, one line of JSON goes out.
import { text } from 'node:stream/consumers';
import { ullageStrategy } from '../../src/apps/cli/bench/strategies/ullage.ts';
import { entriesOf } from '../../src/apps/cli/bench/transcript/entries.ts';
import { codecFor } from '../../src/wire/index.ts';

const SHARE = 0.25;
const KIBI = 1024;

const peakBytes = (): number => process.resourceUsage().maxRSS * KIBI;

const raws = JSON.parse(await text(process.stdin)) as readonly string[];
const codec = codecFor('openai-chat');
const entries = entriesOf(codec, raws);
const tokens = entries.reduce((sum, entry) => sum + entry.tokens, 0);
globalThis.gc?.();
const before = { peakBytes: peakBytes(), heapBytes: process.memoryUsage().heapUsed };
const startedAtMs = performance.now();
const made = await ullageStrategy({ name: 'Ullage', canOpenHandles: false }).compact({
  codec,
  entries,
  budgetTokens: Math.floor(SHARE * tokens),
});
const ms = Math.round(performance.now() - startedAtMs);
const after = { peakBytes: peakBytes(), messages: made.messages.length };
console.log(JSON.stringify({ messages: raws.length, tokens, before, after, ms }));
