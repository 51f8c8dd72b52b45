// One process of the incident `restart`: an agent that opens its session, makes its requests, says what came of them, and is killed.
import { sqliteStore } from '../../../adapters/sqlite/index.ts';
import { UllageError } from '../../../core/errors.ts';
import { createUllage } from '../../../create-ullage.ts';
import type { Session } from '../../../engine/session.ts';
import type { Summarizer } from '../../../ports/summarizer.ts';
import { openaiChatCodec } from '../../../wire/index.ts';
import { measureRequest } from '../shared/request-size.ts';
import { type SimulatedClock, simulatedClock } from '../shared/simulated-clock.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { historyOf } from './restart-history.ts';
import { HIDDEN_TOKENS, RESTART_POLICY, RESTART_WINDOW } from './restart-setting.ts';
import type { RestartReport, RestartTask } from './restart-task.ts';

/** Between two requests, on the simulated clock. */
const STEP_MS = 20_000;
/** A killed process cannot be waited for: it does nothing more for so long. */
const STAY_MS = 60_000;

const SUMMARY = '## Goal\nMigrate the service.\n\n## Done\n1. Read the parts and noted their values.\n';

interface Stage {
  readonly session: Session;
  readonly task: RestartTask;
  readonly clock: SimulatedClock;
  readonly say: (report: RestartReport) => void;
}

/** Throws usage_invalid for what is no task. */
export async function runIncidentProcess(text: string, terminal: Terminal): Promise<void> {
  const task = parseTask(text);
  let summaryCalls = 0;
  const write = async () => {
    summaryCalls += 1;
    return { text: SUMMARY, finishReason: 'stop' };
  };
  const summarizer: Summarizer = Object.assign(write, { id: 'scripted', windowTokens: RESTART_WINDOW });
  const clock = simulatedClock(task.startMs + task.requestsBefore * STEP_MS);
  const models = { window: RESTART_WINDOW, maxOutputTokens: 4_000 };
  const ullage = createUllage({ store: sqliteStore(task.db), clock, summarizer, models, policy: RESTART_POLICY, api: 'openai-chat' });
  const session = await ullage.session(task.key);
  const say = (report: RestartReport) => void terminal.stdout.write(`${JSON.stringify(report)}\n`);
  const stage: Stage = { session, task, clock, say };
  if (task.isCompactedByHand) await compactByHand(stage);
  for (let done = 0; done < task.requests; done += 1) {
    const isDue = await makeRequest(stage, task.requestsBefore + done + 1);
    if (isDue && task.isStoppingWhenDue) break;
  }
  say({ type: 'ready', guard: await session.guard(), summaryCalls });
  await clock.wait(STAY_MS);
}

function parseTask(text: string): RestartTask {
  try {
    return JSON.parse(text) as RestartTask;
  } catch (cause) {
    throw new UllageError('usage_invalid', '--incident-process is for the incident alone: it is no task.', { cause });
  }
}

async function compactByHand({ session, clock, say }: Stage): Promise<void> {
  const { status, oldRequestTokens, newRequestTokens } = await session.compact({ targetTokens: RESTART_POLICY.target + HIDDEN_TOKENS });
  say({ type: 'by-hand', atMs: clock.now(), status, oldRequestTokens, newRequestTokens });
}

/** True when compaction was due. */
async function makeRequest({ session, task, clock, say }: Stage, request: number): Promise<boolean> {
  const time = task.isPreambleChanging ? ` It is ${new Date(clock.now()).toISOString()}.` : '';
  const system = { role: 'system', content: `You migrate services.${time}` };
  const body = JSON.stringify({ model: 'scripted', messages: [system, ...historyOf(task.firstSteps, request)] });
  const prepared = await session.prepare(body);
  const estimatedTokens = measureRequest(openaiChatCodec, prepared.text).tokens;
  const measuredTokens = estimatedTokens + task.hiddenTokens;
  await session.observe(prepared.id, { prompt_tokens: measuredTokens, completion_tokens: 20 });
  const guard = await session.guard();
  say({
    type: 'request',
    request,
    atMs: clock.now(),
    estimatedTokens,
    measuredTokens,
    outcome: prepared.outcome && pick(prepared.outcome),
    guard,
  });
  clock.advance(STEP_MS);
  return prepared.outcome !== undefined;
}

function pick(outcome: NonNullable<Awaited<ReturnType<Session['prepare']>>['outcome']>) {
  const { status, reason, oldRequestTokens, newRequestTokens, retryAtMs, retryTokens, message } = outcome;
  return { status, reason, oldRequestTokens, newRequestTokens, retryAtMs, retryTokens, message };
}
