// What can happen in the world of world.ts: each step of each process is an action of its own, so that any two may have a crash, another
// process or a late answer between them. An action that cannot happen now leaves the world as it is.
import { evaluate } from '../evaluate.ts';
import type { Ask, AskKind, Decision, FailedPath, Guard, GuardEvent, GuardResult, Unit } from '../guard.ts';
import { reduceGuard } from '../reduce.ts';
import { follow } from './ghost.ts';
import {
  type Agent,
  type Attempt,
  askOf,
  chainAt,
  currentView,
  FREE_COMMITS,
  growthAfter,
  IDLE,
  requestThrough,
  sizeThrough,
  type World,
} from './world.ts';

export type Action =
  /** Decides about a compaction; without one the request goes out. */
  | { readonly do: 'prepare'; readonly agent: number; readonly kind?: AskKind; readonly unit?: Unit; readonly model?: string }
  /** Claims on a decision that may be stale by now. */
  | { readonly do: 'claim'; readonly agent: number }
  /** One summary call returns. */
  | { readonly do: 'call'; readonly agent: number; readonly isGood: boolean }
  | { readonly do: 'commit'; readonly agent: number }
  | { readonly do: 'noop'; readonly agent: number }
  | { readonly do: 'abort'; readonly agent: number }
  | { readonly do: 'renew'; readonly agent: number }
  /** The process dies between two steps; one that starts in its place knows nothing. */
  | { readonly do: 'crash'; readonly agent: number }
  | { readonly do: 'answer'; readonly request: number; readonly how: 'usage' | 'unknown' | 'overflow' | 'lost' }
  | { readonly do: 'append'; readonly tokens: number }
  | { readonly do: 'undo' }
  | { readonly do: 'tick'; readonly ms: number };

/** One event applied to the record. */
export interface Transition {
  readonly before: World;
  readonly event: GuardEvent;
  readonly result: GuardResult;
  readonly after: World;
}

/** A world and the events that led to it from the one before. */
export interface Step {
  readonly world: World;
  readonly transitions: readonly Transition[];
}

const still = (world: World): Step => ({ world, transitions: [] });

export function act(world: World, action: Action): Step {
  switch (action.do) {
    case 'prepare':
      return prepare(world, action);
    case 'append':
      return still({ ...world, entries: [...world.entries, action.tokens] });
    case 'tick':
      return still(tick(world, action.ms));
    case 'undo':
      return undo(world);
    case 'answer':
      return answer(world, action);
    case 'crash':
      return still(withAgent(world, action.agent, IDLE));
    case 'claim':
      return claim(world, action.agent);
    default:
      return work(world, action);
  }
}

/** Applies one event to the stored record and notes it. Compare-and-swap makes each such step atomic: on a conflict it is applied again. */
export function apply(before: World, event: GuardEvent): Step & { readonly result: GuardResult } {
  const result = reduceGuard(before.guard, event, before.nowMs);
  const guard = result.guard === before.guard ? before.guard : frozen({ ...result.guard, version: before.guard.version + 1 });
  const after: World = { ...before, guard, ghost: follow(before, event, result) };
  return { world: after, transitions: [{ before, event, result, after }], result };
}

/** The record is frozen through and through, so that a reducer that mutated it would throw. */
function frozen(guard: Guard): Guard {
  for (const part of [guard, guard.tokens, guard.messages, guard.paths, guard.lease, guard.pending, guard.proof]) Object.freeze(part);
  return guard;
}

export function withAgent(world: World, index: number, agent: Agent): World {
  return { ...world, agents: world.agents.map((old, position) => (position === index ? agent : old)) };
}

/** The request of an agent goes out through the newest view, and the agent is free. */
function send(step: Step, index: number, model: string): Step {
  const { world } = step;
  const request = requestThrough(world, currentView(world), model);
  const sent = { ...world, requests: [...world.requests, request], sent: world.sent + 1 };
  return { world: withAgent(sent, index, IDLE), transitions: step.transitions };
}

/** The shortest rest earns one automatic commit, whichever way the clock moves. */
export const SHORTEST_REST_MS = 300_000;

function tick(world: World, ms: number): World {
  const allowance = Math.min(FREE_COMMITS, world.ghost.allowance + Math.abs(ms) / SHORTEST_REST_MS);
  return { ...world, nowMs: world.nowMs + ms, ghost: { ...world.ghost, allowance } };
}

function prepare(world: World, action: Extract<Action, { do: 'prepare' }>): Step {
  if (world.agents[action.agent]?.at !== 'idle') return still(world);
  const model = action.model ?? 'm';
  const ask = askOf(world, { kind: action.kind ?? 'automatic', unit: action.unit ?? 'tokens', model });
  if (isAllowed(evaluate(world.guard, ask, world.nowMs))) return still(withAgent(world, action.agent, { at: 'decided', ask }));
  return send(still(world), action.agent, model);
}

export function isAllowed(decision: Decision): boolean {
  return decision.decision === 'allow' || decision.decision === 'probe';
}

function claim(world: World, index: number): Step {
  const agent = world.agents[index];
  if (agent?.at !== 'decided') return still(world);
  const { ask } = agent;
  const event: GuardEvent = { type: 'claim', ask, attemptId: `agent-${index}`, path: ask.paths[0]?.path ?? 'facts' };
  const step = apply(world, event);
  if (step.result.status === 'refused') return send(step, index, ask.model);
  return { ...step, world: withAgent(step.world, index, { at: 'working', attempt: attemptOf(step.world, ask, step.result) }) };
}

function attemptOf(world: World, ask: Ask, { guard, decision }: GuardResult): Attempt {
  const open = decision !== undefined && 'paths' in decision ? decision.paths : [];
  const fold = Math.max(world.entries.length - world.setup.keep, 0);
  return { fence: guard.fence, ask, baseView: guard.view, fold, watermark: world.entries.length, open, failed: [] };
}

type WorkAction = Extract<Action, { do: 'call' | 'commit' | 'noop' | 'abort' | 'renew' }>;

function work(world: World, action: WorkAction): Step {
  const agent = world.agents[action.agent];
  if (agent?.at !== 'working') return still(world);
  const { attempt } = agent;
  const { fence, ask, failed } = attempt;
  const leave = (event: GuardEvent): Step => send(apply(world, event), action.agent, ask.model);
  switch (action.do) {
    case 'call':
      return call(world, action, attempt);
    case 'commit':
      return commit(world, action.agent, attempt);
    case 'noop':
      return leave({ type: 'end-noop', fence, ask, failed });
    case 'abort': {
      const underway = attempt.open.slice(0, 1).map(failure(attempt, 'aborted'));
      return leave({ type: 'end-failed', fence, failed: [...failed, ...underway], isAborted: true });
    }
    case 'renew': {
      const step = apply(world, { type: 'renew', fence });
      return step.result.status === 'refused' ? send(step, action.agent, ask.model) : step;
    }
  }
}

function failure({ ask }: Attempt, reason: string): (path: string) => FailedPath {
  return (path) => ({ path, reason, deadlineMs: ask.paths.find((known) => known.path === path)?.deadlineMs ?? 0 });
}

/** The path is noted before the call, so the call is made only by a holder of the lease. */
function call(world: World, action: { agent: number; isGood: boolean }, attempt: Attempt): Step {
  const [path, ...open] = attempt.open;
  if (path === undefined || attempt.summary !== undefined) return still(world);
  const step = apply(world, { type: 'path', fence: attempt.fence, path });
  if (step.result.status === 'refused') return send(step, action.agent, attempt.ask.model);
  const failed = action.isGood ? attempt.failed : [...attempt.failed, failure(attempt, 'timeout')(path)];
  const next: Attempt = { ...attempt, open, failed, summary: action.isGood ? { path } : undefined };
  const paid = { ...step.world, calls: step.world.calls + 1 };
  return { world: withAgent(paid, action.agent, { at: 'working', attempt: next }), transitions: step.transitions };
}

/** With a summary from a model, or from facts when every path failed or none is open. */
function commit(world: World, index: number, attempt: Attempt): Step {
  if (attempt.summary === undefined && attempt.open.length > 0) return still(world);
  const { fence, ask, baseView, failed } = attempt;
  const viewId = `v${world.views.length + 1}`;
  const modelPath = typeof attempt.summary === 'object' ? attempt.summary.path : undefined;
  const watermark = chainAt(attempt.watermark - 1);
  const growth = growthAfter(world, ask.unit);
  const step = apply(world, { type: 'commit', fence, baseView, viewId, ask, watermark, growthAfter: growth, failed, modelPath });
  if (step.result.status === 'refused') {
    const ended = apply(step.world, { type: 'end-superseded', fence });
    return send({ world: ended.world, transitions: [...step.transitions, ...ended.transitions] }, index, ask.model);
  }
  const view = { id: viewId, base: baseView, fold: attempt.fold, watermark: attempt.watermark };
  const landed = { ...step.world, views: [...step.world.views, view], commits: [...step.world.commits, ask.kind] };
  return send({ world: landed, transitions: step.transitions }, index, ask.model);
}

/** Takes the newest fold back: the view before it, under a new id. */
function undo(world: World): Step {
  const current = currentView(world);
  if (current === undefined || current.fold === 0) return still(world);
  const fold = world.views.find(({ id }) => id === current.base)?.fold ?? 0;
  const view = { id: `v${world.views.length + 1}`, base: current.id, fold, watermark: world.entries.length };
  const { window, minGain } = world.setup;
  const step = apply(world, { type: 'undo', viewId: view.id, size: sizeThrough(world, view), usable: window, minGain });
  return { world: { ...step.world, views: [...step.world.views, view] }, transitions: step.transitions };
}

function answer(world: World, { request: id, how }: Extract<Action, { do: 'answer' }>): Step {
  const request = world.requests.find((sent) => sent.id === id);
  if (request === undefined) return still(world);
  const heard = { ...world, requests: world.requests.filter((sent) => sent !== request) };
  if (how === 'lost') return still(heard);
  const { view, grown, size, model } = request;
  const reading = { view, grown, model, size: how === 'usage' ? size : undefined };
  if (how === 'overflow') return apply(heard, { type: 'overflow-verdict', reading, actual: size, limit: world.setup.window });
  return apply(heard, { type: 'observe', reading });
}
