// All that two or three processes, a provider, a person and a clock can do next. Exploration takes each, random walks take one.
import type { AskKind, Unit } from '../guard.ts';
import type { Action } from './act.ts';
import type { Agent, World } from './world.ts';

export interface Menu {
  readonly kinds?: readonly AskKind[];
  readonly units?: readonly Unit[];
  readonly models?: readonly string[];
  /** Tokens of entries that may be appended. None: nothing grows. */
  readonly grows?: readonly number[];
  readonly canUndo?: boolean;
  readonly canOverflow?: boolean;
  /** False: no process dies, and no answer is lost or lacks its usage. */
  readonly canFail?: boolean;
  /** Steps of the clock, milliseconds. */
  readonly ticks?: readonly number[];
  readonly maxInFlight?: number;
  readonly maxEntries?: number;
}

export const MINUTE_MS = 60_000;

export function choices(menu: Menu, world: World): Action[] {
  return [
    ...world.agents.flatMap((agent, index) => agentChoices(menu, world, { agent, index })),
    ...world.requests.flatMap(({ id }) => answers(menu).map((how): Action => ({ do: 'answer', request: id, how }))),
    ...(world.entries.length < (menu.maxEntries ?? 5) ? (menu.grows ?? []) : []).map((tokens): Action => ({ do: 'append', tokens })),
    ...(menu.canUndo ? [{ do: 'undo' } as const] : []),
    ...(menu.ticks ?? [MINUTE_MS, 5 * MINUTE_MS]).map((ms): Action => ({ do: 'tick', ms })),
  ];
}

function answers({ canFail = true, canOverflow = false }: Menu): ('usage' | 'unknown' | 'lost' | 'overflow')[] {
  return ['usage', ...(canFail ? (['unknown', 'lost'] as const) : []), ...(canOverflow ? (['overflow'] as const) : [])];
}

function agentChoices(menu: Menu, world: World, { agent, index }: { agent: Agent; index: number }): Action[] {
  const crash: Action[] = (menu.canFail ?? true) ? [{ do: 'crash', agent: index }] : [];
  switch (agent.at) {
    case 'idle':
      return world.requests.length < (menu.maxInFlight ?? 2) ? prepares(menu, index) : [];
    case 'decided':
      return [{ do: 'claim', agent: index }, ...crash];
    case 'working':
      return [
        { do: 'call', agent: index, isGood: true },
        { do: 'call', agent: index, isGood: false },
        { do: 'commit', agent: index },
        { do: 'noop', agent: index },
        { do: 'abort', agent: index },
        { do: 'renew', agent: index },
        ...crash,
      ];
  }
}

function prepares({ kinds = ['automatic'], units = ['tokens'], models = ['m'] }: Menu, agent: number): Action[] {
  return kinds.flatMap((kind) => units.flatMap((unit) => models.map((model): Action => ({ do: 'prepare', agent, kind, unit, model }))));
}
