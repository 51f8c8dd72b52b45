// Tells a trace: a world that one acts in step by step, with the record written to text and read back before every step, as after a restart.
import { decodeGuard, encodeGuard } from '../encode.ts';
import { evaluate } from '../evaluate.ts';
import type { AskKind, Decision, Guard, Unit } from '../guard.ts';
import { type Action, act } from './act.ts';
import { broken } from './invariants.ts';
import { askOf, createWorld, type Request, type Setup, type World } from './world.ts';

export interface Turn {
  readonly agent?: number;
  readonly kind?: AskKind;
  readonly unit?: Unit;
  readonly model?: string;
}

export class Play {
  world: World;

  constructor(setup: Partial<Setup> = {}, agents = 2) {
    this.world = createWorld(setup, agents);
  }

  get guard(): Guard {
    return this.world.guard;
  }

  do(...actions: readonly Action[]): this {
    for (const action of actions) {
      const stored = { ...this.world, guard: decodeGuard(encodeGuard(this.world.guard)) };
      const step = act(stored, action);
      const faults = step.transitions.flatMap(broken);
      if (faults.length > 0) throw new Error(`${faults.join(', ')} broken by ${JSON.stringify(action)}`);
      this.world = step.world;
    }
    return this;
  }

  /** What the guard would say now. */
  decide({ kind = 'automatic', unit = 'tokens', model = 'm' }: Turn = {}): Decision {
    return evaluate(this.guard, askOf(this.world, { kind, unit, model }), this.world.nowMs);
  }

  /** Prepares, and claims when that is allowed. True when the lease was taken. */
  begin(turn: Turn = {}): boolean {
    const { agent = 0 } = turn;
    this.do({ do: 'prepare', ...turn, agent }, { do: 'claim', agent });
    return this.world.agents[agent]?.at === 'working';
  }

  /** Prepares and, when that is allowed, compacts. Either way the request is on its way afterwards. */
  prepare(turn: Turn = {}): Request {
    const { agent = 0 } = turn;
    if (this.begin(turn)) this.do({ do: 'call', agent, isGood: true }, { do: 'commit', agent });
    return this.newest;
  }

  /** One whole turn of a client: prepare, and the answer. */
  turn(how: 'usage' | 'unknown' | 'overflow' | 'lost' = 'usage', turn: Turn = {}): this {
    const { id: request } = this.prepare(turn);
    return this.do({ do: 'answer', request, how });
  }

  wait(ms: number): this {
    return this.do({ do: 'tick', ms });
  }

  append(...entries: readonly number[]): this {
    return this.do(...entries.map((tokens): Action => ({ do: 'append', tokens })));
  }

  get newest(): Request {
    const request = this.world.requests.at(-1);
    if (request === undefined) throw new Error('No request is on its way.');
    return request;
  }

  commits(kind: AskKind): number {
    return this.world.commits.filter((made) => made === kind).length;
  }

  /** Compactions that started by themselves. */
  get selfStarted(): number {
    return this.commits('automatic') + this.commits('background');
  }
}
