// Calls and results of the Messages API: every tool_use answered in the next user turn, results first, ids unique; server tools
// answered inside the assistant's own turn.
import { type Findings, stringOf } from '../rules.ts';
import type { Placed, Turn } from './validate-turns.ts';

interface Pairing {
  readonly findings: Findings;
  /** Every call id of the request. */
  readonly callIds: Set<string>;
  /** Call ids that already have their result. */
  readonly answered: Set<string>;
  /** Calls of the last assistant turn that wait for a result. */
  readonly open: Set<string>;
  /** Server-side calls that wait for their result, with the place of the call. */
  readonly openServer: Map<string, string>;
}

/** Checks all turns in order. `isContinued`: the server holds the turns before, so the first results may answer calls that are not here. */
export function checkPairs(turns: readonly Turn[], findings: Findings, isContinued: boolean): void {
  const pairing: Pairing = { findings, callIds: new Set(), answered: new Set(), open: new Set(), openServer: new Map() };
  for (const [at, turn] of turns.entries()) {
    if (turn.role === 'user') checkResults(turn, pairing, isContinued && at === 0);
    reportUnanswered(turns[at - 1], pairing);
    if (turn.role !== 'assistant') continue;
    for (const placed of turn.blocks) readAssistantBlock(placed, pairing);
    if (at < turns.length - 1 && pairing.open.size === 0) reportServerCalls(pairing);
  }
  reportUnanswered(turns.at(-1), pairing);
}

function checkResults(turn: Turn, pairing: Pairing, mayAnswerUnseen: boolean): void {
  const { findings, open, answered } = pairing;
  let hasOther = false;
  for (const { block, path } of turn.blocks) {
    if (block.type !== 'tool_result') {
      hasOther = true;
      continue;
    }
    const id = stringOf(block.tool_use_id) ?? '';
    if (hasOther)
      findings.add('tool-result-first', path, `${path}: \`tool_result\` blocks must come before all other content of the message`);
    if (open.delete(id)) answered.add(id);
    else if (answered.has(id)) {
      findings.add(
        'tool-result-duplicate',
        path,
        `${path}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
      );
    } else if (!mayAnswerUnseen) {
      const rule = 'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.';
      findings.add('tool-result-orphan', path, `${path}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. ${rule}`);
    }
  }
}

/** Called when the turn after a call has been read: what is still open then stays unanswered. */
function reportUnanswered(turn: Turn | undefined, pairing: Pairing): void {
  const { findings, open } = pairing;
  if (turn === undefined || open.size === 0) return;
  const place = `messages.${turn.lastIndex}`;
  const rule = 'Each `tool_use` block must have a corresponding `tool_result` block in the next message.';
  const ids = [...open].join(', ');
  findings.add(
    'tool-result-missing',
    place,
    `${place}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids}. ${rule}`,
  );
  open.clear();
}

function readAssistantBlock({ block, path }: Placed, pairing: Pairing): void {
  const { findings, callIds, answered, open, openServer } = pairing;
  const type = stringOf(block.type) ?? '';
  if (type === 'tool_use' || type === 'server_tool_use' || type === 'mcp_tool_use') {
    const id = stringOf(block.id) ?? '';
    if (callIds.has(id)) findings.add('tool-id-duplicate', path, `${path}: \`tool_use\` ids must be unique`);
    callIds.add(id);
    if (type === 'tool_use') open.add(id);
    else openServer.set(id, path);
  } else if (type.endsWith('_tool_result')) {
    const id = stringOf(block.tool_use_id) ?? '';
    if (openServer.delete(id)) answered.add(id);
    else findings.add('server-tool-result-orphan', path, `${path}: unexpected \`tool_use_id\` found in \`${type}\` blocks: ${id}`);
  }
}

/**
 * A server tool answers in the turn that calls it, unless that turn waits for a client tool called from server code, or is the last
 * (a paused turn).
 */
function reportServerCalls({ findings, openServer }: Pairing): void {
  for (const [id, path] of openServer) {
    findings.add('server-tool-result-missing', path, `${path}: tool use with id \`${id}\` was found without a corresponding result block`);
  }
  openServer.clear();
}
