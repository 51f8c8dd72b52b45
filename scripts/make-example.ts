// Makes examples/session.json: a coding agent's session about this repository, from the real output of real commands run in it.
// Run in a checkout: npx tsx scripts/make-example.ts
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');

interface Act {
  readonly say: string;
  /** A shell command line, run in the repository. */
  readonly run: string;
}

interface Scene {
  readonly ask: string;
  readonly acts: readonly Act[];
  readonly answer: string;
}

const read = (file: string, say: string): Act => ({ say, run: `cat -n ${file}` });

const SCENES: readonly Scene[] = [
  {
    ask: 'Get to know this repository and tell me where the decision is made whether a conversation is compacted. Never change a file under docs/decisions without asking me, and always run the type check before you say that something is done.',
    acts: [
      { say: 'I begin with the layout of the source.', run: 'find src -maxdepth 2 -type d | sort' },
      read('package.json', 'The manifest tells the scripts and the entry points.'),
      read('docs/decisions/0001-rooms.md', 'The first decision explains the rooms.'),
      read('src/core/guard/guard.ts', 'The guard holds what decides; its record first.'),
      read('src/core/guard/evaluate.ts', 'Now the question itself.'),
      read('src/engine/headroom.ts', 'And the place that asks it.'),
    ],
    answer:
      'The decision is made in two places. `src/engine/goals.ts` says what is due by arithmetic (`dueGoal`), and `src/core/guard/evaluate.ts` says whether an automatic attempt may run, rows E0 to E8. `src/engine/headroom.ts` puts them together. I decided to leave the guard pure: it takes time as an argument, because a hidden clock would make restarts decide differently.',
  },
  {
    ask: 'What happens when the store is locked by another process for longer than the busy wait? I want the port number 4747 mentioned nowhere in the engine.',
    acts: [
      { say: 'First the port number.', run: 'grep -rn 4747 src || echo "no match"' },
      { say: 'Who handles a busy database?', run: 'grep -rn "SQLITE_BUSY" src/adapters | head -40' },
      { say: 'The files of the adapter.', run: 'ls -l src/adapters/sqlite' },
      { say: 'The way a write is run.', run: 'cat -n src/adapters/sqlite/database.ts' },
      { say: 'And how faults are named.', run: 'cat -n src/adapters/sqlite/faults.ts' },
    ],
    answer:
      'A write waits at most 50 ms inside SQLite, then tries again with jitter and without blocking the event loop; when the bound is reached the error is `store_unavailable`, which is retryable, and the request goes out uncompacted. 4747 does not occur in the engine.',
  },
  {
    ask: 'Which tests cover the two founding incidents? Run the type check too.',
    acts: [
      {
        say: 'Looking for the incidents by name.',
        run: 'grep -rln "founding incident" src test docs examples --include=*.ts --include=*.md || true',
      },
      read('test/engine/incidents.test.ts', 'The test itself.'),
      { say: 'The type check.', run: 'npx tsc -p tsconfig.json && echo "tsc: exit code 0"' },
      { say: 'And what the tests are called.', run: 'grep -rhn "it(\'" src/core/guard/*.test.ts | head -120' },
    ],
    answer:
      '`test/engine/incidents.test.ts` covers both. The type check passes with exit code 0. Next I would look at the crash test, since it holds the same promise with a real kill.',
  },
  {
    ask: 'Good. Now read the planner and explain how lines are chosen. Keep it short.',
    acts: [
      { say: 'The files of the plan, with their sizes.', run: 'wc -l src/core/plan/*.ts' },
      read('src/core/plan/planner.ts', 'The entry.'),
      read('src/core/plan/weights.ts', 'How terms are weighed.'),
      read('src/core/plan/select.ts', 'How lines are chosen.'),
      read('src/core/plan/units.ts', 'Where the lines come from.'),
      read('src/core/plan/prune.ts', 'And the prunes.'),
    ],
    answer:
      'Every older message becomes a unit of lines. A line gains the weight of the terms it shows that nothing has shown yet, divided by its tokens; a lazy heap gives the best line again and again until the budget is full. Role dominates the weight: what the agent wrote into a tool call is needed again far more often than what only ever stood in a result.',
  },
  {
    ask: 'There is a failing idea in my head: could two processes fold the same range twice? Check the commit.',
    acts: [
      read('src/engine/commit.ts', 'The commit in the engine.'),
      read('src/core/guard/commit.ts', 'The commit in the guard.'),
      { say: 'Tests that name it.', run: 'grep -rn "G5\\|X20" src test | head -20' },
      { say: 'A command that fails, to see what it says.', run: 'node dist/does-not-exist.js 2>&1 | head -12 || true' },
      { say: 'The recent history.', run: 'git log --oneline --no-decorate | head -60' },
    ],
    answer:
      'No. A commit is refused unless the lease has the fence it claimed and `guard.view` is still the view the plan was made from, and the row is written only if its version has not moved. The loser ends with `base_changed` and renders again through the winner’s view. The missing file gave `Cannot find module`, as it should.',
  },
  {
    ask: 'Fine. Write down in one sentence what you would change first, and then wait for me.',
    acts: [],
    answer:
      'I would print the handle of a pruned result also in the dry run, so that a person can open it before the plan is executed. I wait for you.',
  },
  { ask: 'And what did I tell you about docs/decisions at the very beginning?', acts: [], answer: '' },
];

const OUTPUT_LIMIT_CHARS = 24_000;

function output(command: string): { text: string; isError: boolean } {
  try {
    const text = execFileSync('bash', ['-c', command], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    return { text: clean(text), isError: false };
  } catch (error) {
    const { stdout = '', stderr = '', status } = error as { stdout?: string; stderr?: string; status?: number };
    return { text: clean(`${stdout}${stderr}\nexit code ${status}`), isError: true };
  }
}

/** Nothing of the machine the example was made on. */
function clean(text: string): string {
  return text.replaceAll(root, '/repo').slice(0, OUTPUT_LIMIT_CHARS);
}

function encode(scenes: readonly Scene[]): object[] {
  let id = 0;
  return scenes.flatMap((scene) => [
    { role: 'user', content: scene.ask },
    ...scene.acts.flatMap((act) => {
      const callId = `toolu_${String(++id).padStart(4, '0')}`;
      const { text, isError } = output(act.run);
      return [
        {
          role: 'assistant',
          content: [
            { type: 'text', text: act.say },
            { type: 'tool_use', id: callId, name: 'bash', input: { command: act.run } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: callId, content: text, ...(isError ? { is_error: true } : {}) }] },
      ];
    }),
    ...(scene.answer === '' ? [] : [{ role: 'assistant', content: scene.answer }]),
  ]);
}

const tool = {
  name: 'bash',
  description: 'Runs a command in the repository.',
  input_schema: { type: 'object', properties: { command: { type: 'string' } } },
};
const system = 'You are a careful engineer. You work in the repository /repo and answer in short sentences.';
const body = { model: 'claude-sonnet-4-5', max_tokens: 8_000, system, tools: [tool], messages: encode(SCENES) };
const file = path.join(root, 'examples', 'session.json');
fs.writeFileSync(file, `${JSON.stringify(body, undefined, 1)}\n`);
console.log(`${path.relative(root, file)}: ${body.messages.length} messages, ${fs.statSync(file).size} bytes`);
