// The history of the incident `restart`: the same in every process, as an agent reads its own session from a file.
import { openaiChatCodec } from '../../../wire/index.ts';
import { measureRequest } from '../shared/request-size.ts';

/** Tool steps an agent does for one request. */
const STEPS_PER_REQUEST = 3;
const LINES_PER_RESULT = 120;

/** Messages behind the system prompt when the n-th request is made. */
export function historyOf(firstSteps: number, request: number): object[] {
  const steps = firstSteps + STEPS_PER_REQUEST * (request - 1);
  const messages: object[] = [{ role: 'user', content: 'Migrate the service. Never drop a table.' }];
  for (let step = 1; step <= steps; step += 1) messages.push(...stepOf(step));
  return messages;
}

/** The fewest steps after which the messages take so many tokens. */
export function stepsFor(tokens: number): number {
  for (let steps = 1; ; steps += 1) {
    const text = JSON.stringify({ messages: historyOf(steps, 1) });
    if (measureRequest(openaiChatCodec, text).tokens >= tokens) return steps;
  }
}

function stepOf(step: number): object[] {
  const call = {
    id: `call_${step}`,
    type: 'function',
    function: { name: 'read', arguments: JSON.stringify({ path: `src/part-${step}.ts` }) },
  };
  const lines = Array.from({ length: LINES_PER_RESULT }, (_, line) => `line ${line} of part ${step}: value ${(line * step * 37) % 1000}`);
  return [
    { role: 'assistant', content: `Reading part ${step}.`, tool_calls: [call] },
    { role: 'tool', tool_call_id: call.id, content: lines.join('\n') },
  ];
}
