// The step in which tools run, one after the other. Each is noted before it begins: one that was interrupted is told as that, never run again.
import type { ToolCallPart, ToolResultPart } from 'ai';
import { callsOf } from '../model/message-parts.ts';
import { callRecord, noteCallResult, noteCallStarted } from '../store/tool-calls.ts';
import type { StepPlace, Turn } from '../store/turns.ts';
import { append, type TurnRun, write, writeDurably } from './turn-run.ts';

type Output = ToolResultPart['output'];

const INTERRUPTED: Output = {
  type: 'error-text',
  value: 'Interrupted: the process ended while this tool ran. Whether it had an effect is not known; it was not run again.',
};

export function runTools(run: TurnRun, turn: Turn): Promise<Turn> {
  return appendResults(run, turn, (place, call) => outputOf(run, place, call));
}

/** Every call gets a result without being run, so that the conversation can go on: what is known of it. */
export function closeCalls(run: TurnRun, turn: Turn): Promise<Turn> {
  return appendResults(run, turn, async (place, { toolCallId }) => {
    const record = await run.chat.db.read((sql) => callRecord(sql, place, toolCallId));
    return record.kind === 'done' ? (JSON.parse(record.result) as Output) : STOPPED[record.kind];
  });
}

const STOPPED: Readonly<Record<'new' | 'interrupted', Output>> = {
  new: { type: 'error-text', value: 'Stopped by the user before it ran.' },
  interrupted: { type: 'error-text', value: 'Stopped by the user while it ran: whether it had an effect is not known.' },
};

async function appendResults(
  run: TurnRun,
  turn: Turn,
  outputFor: (place: StepPlace, call: ToolCallPart) => Promise<Output>,
): Promise<Turn> {
  const place: StepPlace = { itemId: turn.itemId, epoch: turn.state.epoch, position: turn.steps.length - 1 };
  const content: ToolResultPart[] = [];
  for (const call of callsOf(turn.steps.at(-1)!)) {
    const { toolCallId, toolName } = call;
    content.push({ type: 'tool-result', toolCallId, toolName, output: await outputFor(place, call) });
  }
  return append(run, turn, { message: { role: 'tool', content } });
}

async function outputOf(run: TurnRun, place: StepPlace, { toolCallId: callId, toolName, input }: ToolCallPart): Promise<Output> {
  run.signal.throwIfAborted();
  const record = await writeDurably(run, (sql) => {
    const found = callRecord(sql, place, callId);
    if (found.kind === 'new') noteCallStarted(sql, place, callId);
    return found;
  });
  if (record.kind === 'done') return JSON.parse(record.result) as Output;
  const output = record.kind === 'interrupted' ? INTERRUPTED : await runTool(run, toolName, input);
  await write(run, (sql) => noteCallResult(sql, place, { callId, result: JSON.stringify(output) }));
  return output;
}

async function runTool({ chat, progress, signal }: TurnRun, toolName: string, input: unknown): Promise<Output> {
  progress.tool(toolName);
  const { text, isError } = await chat.toolBox.run(toolName, input, signal);
  return { type: isError ? 'error-text' : 'text', value: text === '' ? '(nothing)' : text };
}
