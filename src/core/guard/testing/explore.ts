// Bounded exhaustive exploration: every action in every reached state, breadth first, states that behave alike met once.
import { over } from '../derive.ts';
import { type Ask, GUARD_DEFAULTS as D, type UnitState } from '../guard.ts';
import { type Action, act, SHORTEST_REST_MS, type Transition } from './act.ts';
import { type Agent, currentView, type Request, type World } from './world.ts';

export interface Exploration {
  readonly begin: World;
  /** All that may happen in a state. Actions that change nothing cost little. */
  readonly actions: (world: World) => readonly Action[];
  readonly depth: number;
  /** Names of the invariants a transition breaks. */
  readonly broken: (transition: Transition) => readonly string[];
}

export interface Explored {
  readonly states: number;
  readonly transitions: number;
  /** The shortest way to a broken invariant. */
  readonly failure?: { readonly invariants: readonly string[]; readonly trace: readonly Action[] };
}

interface Node {
  readonly world: World;
  readonly action?: Action;
  readonly from?: Node;
}

export function explore({ begin, actions, depth, broken }: Exploration): Explored {
  const seen = new Set([stateKey(begin)]);
  let transitions = 0;
  let frontier: readonly Node[] = [{ world: begin }];
  for (let level = 0; level < depth; level++) {
    const next: Node[] = [];
    for (const node of frontier) {
      for (const action of actions(node.world)) {
        const step = act(node.world, action);
        if (step.world === node.world) continue;
        transitions += step.transitions.length;
        const invariants = step.transitions.flatMap(broken);
        const reached: Node = { world: step.world, action, from: node };
        if (invariants.length > 0) return { states: seen.size, transitions, failure: { invariants, trace: traceTo(reached) } };
        if (remember(seen, step.world)) next.push(reached);
      }
    }
    frontier = next;
  }
  return { states: seen.size, transitions };
}

function remember(seen: Set<string>, world: World): boolean {
  const key = stateKey(world);
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}

function traceTo(node: Node): Action[] {
  const trace: Action[] = [];
  for (let at: Node | undefined = node; at?.action !== undefined; at = at.from) trace.unshift(at.action);
  return trace;
}

/**
 * What decides about the future of a world, and nothing else: times relative to now and cut at their period, fences and views only as held or
 * lost, since no id is ever used again. Version, tallies and names stay out.
 */
export function stateKey(world: World): string {
  const { guard, ghost, nowMs, entries } = world;
  const left = (x: { readonly sinceMs: number }, periodMs: number) => (over(x, periodMs, nowMs) ? 'over' : nowMs - x.sinceMs);
  const unit = ({ rest, refills, last, level }: UnitState) => [
    rest && [rest.reason, left(rest, rest.periodMs), rest.periodMs, rest.size, rest.step],
    Math.min(refills, D.refillLimit + 1),
    last,
    Math.min(level, D.restMs.length),
  ];
  const view = currentView(world);
  const { unjudged } = ghost;
  return JSON.stringify([
    guard.lease && [guard.lease.path, left(guard.lease, D.leaseMs), left({ sinceMs: guard.lease.claimedAtMs ?? 0 }, D.leaseCapMs)],
    guard.pending && [guard.pending.mark, guard.pending.model, left(guard.pending, D.verdictWaitMs)],
    Math.min(guard.strikes, D.strikeLimit + 1),
    guard.proof,
    unit(guard.tokens),
    unit(guard.messages),
    Object.entries(guard.paths).map(([path, c]) => [path, Math.min(c.failures, D.coolMs.length + 1), left(c, c.periodMs), c.deadlineMs]),
    entries,
    view && [view.fold, view.watermark],
    world.agents.map((agent) => agentKey(agent, world)).sort(),
    world.requests.map((request) => requestKey(request, world)).sort(),
    [ghost.allowance, ghost.struck === guard.view],
    Object.entries(ghost.probedAtMs).map(([model, sinceMs]) => [model, left({ sinceMs }, SHORTEST_REST_MS)]),
    unjudged && [unjudged.view === guard.view, unjudged.mark, unjudged.model, left({ sinceMs: unjudged.atMs }, D.verdictWaitMs)],
  ]);
}

/** Gain, least gain and paths follow from these in one world. */
const askKey = ({ kind, unit, size, mark, model }: Ask): string => `${kind} ${unit} ${size} ${mark} ${model}`;

function agentKey(agent: Agent, { guard }: World): string {
  if (agent.at === 'idle') return '';
  if (agent.at === 'decided') return askKey(agent.ask);
  const { fence, ask, baseView, fold, watermark, open, failed, summary } = agent.attempt;
  if (fence !== guard.lease?.fence) return `lost ${ask.kind}`;
  return JSON.stringify([baseView === guard.view, askKey(ask), fold, watermark, open, failed, summary]);
}

/** A request through an older view can never speak again; all such are alike. */
function requestKey({ view, grown, size, model }: Request, { guard }: World): string {
  return view === guard.view ? JSON.stringify([grown, size, model]) : 'stale';
}
