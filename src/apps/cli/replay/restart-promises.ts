// What must hold when the incident `restart` is played.

import { plural } from '../shared/plural.ts';
import { formatCount } from '../terminal/numbers.ts';
import type { Act, ProcessRecord } from './incident-restart.ts';
import { RESTART_POLICY } from './restart-setting.ts';
import type { RequestReport } from './restart-task.ts';

/** Useless compactions before the guard rests. */
const MOST_USELESS = 2;

export interface KeptPromise {
  readonly what: string;
  readonly isKept: boolean;
  readonly detail: string;
}

export function restartPromises(acts: readonly Act[]): readonly KeptPromise[] {
  const same = acts.find(({ name }) => name === 'same');
  const changing = acts.find(({ name }) => name === 'changing');
  if (same === undefined || changing === undefined) return [];
  const trapped = changing.processes.slice(0, changing.processes.findIndex(hasHandReport));
  return [
    nothingBought(same),
    fewUseless(trapped),
    restartsAddNone(trapped),
    saysWhy(trapped),
    seenElsewhere(trapped),
    clearedForGood(changing),
  ];
}

export function requestsOf(processes: readonly ProcessRecord[]): readonly RequestReport[] {
  return processes.flatMap(({ reports }) => reports.filter((report) => report.type === 'request'));
}

/** Automatic compactions after which the provider still measured the threshold or more. */
function isUseless({ outcome, measuredTokens }: RequestReport): boolean {
  return outcome?.status === 'compacted' && measuredTokens >= RESTART_POLICY.threshold;
}

const hasHandReport = ({ reports }: ProcessRecord): boolean => reports.some((report) => report.type === 'by-hand');

const callsOf = (processes: readonly ProcessRecord[]): number => processes.reduce((sum, { summaryCalls }) => sum + summaryCalls, 0);

function nothingBought({ processes }: Act): KeptPromise {
  const calls = callsOf(processes);
  const refusals = requestsOf(processes).filter(({ outcome }) => outcome?.reason === 'floor_above_target').length;
  return {
    what: 'a floor that stands still buys nothing (floor_above_target)',
    isKept: calls === 0 && refusals > 0,
    detail: `${plural(calls, 'summary', 'summaries')}, ${plural(refusals, 'refusal')}`,
  };
}

function fewUseless(processes: readonly ProcessRecord[]): KeptPromise {
  const useless = requestsOf(processes).filter(isUseless).length;
  const calls = callsOf(processes);
  return {
    what: `at most ${MOST_USELESS} useless compactions`,
    isKept: useless <= MOST_USELESS && calls <= MOST_USELESS,
    detail: `${useless}, with ${plural(calls, 'summary', 'summaries')} bought`,
  };
}

function restartsAddNone(processes: readonly ProcessRecord[]): KeptPromise {
  const last = processes.findLastIndex((process) => requestsOf([process]).some(isUseless));
  const later = processes.slice(last + 1);
  const due = requestsOf(later).filter(({ outcome }) => outcome?.status === 'blocked').length;
  return {
    what: 'restarts add none',
    isKept: later.length > 0 && due > 0 && callsOf(later) === 0,
    detail: `due ${due} times in ${plural(later.length, 'restart')}, ${plural(callsOf(later), 'summary', 'summaries')} bought`,
  };
}

/** The newest refusal of the guard. */
export function newestBlock(processes: readonly ProcessRecord[]): RequestReport | undefined {
  return requestsOf(processes).findLast(({ outcome }) => outcome?.status === 'blocked');
}

function saysWhy(processes: readonly ProcessRecord[]): KeptPromise {
  const block = newestBlock(processes);
  const { reason, retryAtMs, retryTokens } = block?.outcome ?? {};
  const seconds = retryAtMs === undefined || block === undefined ? undefined : Math.round((retryAtMs - block.atMs) / 1_000);
  return {
    what: 'it says why and until when',
    isKept: reason === 'guard_ineffective' && seconds !== undefined && seconds > 0,
    detail: `${reason ?? 'no reason'}, ${seconds ?? '?'} s more or ${formatCount(retryTokens ?? 0)} tokens`,
  };
}

function seenElsewhere(processes: readonly ProcessRecord[]): KeptPromise {
  const own = processes.find(({ guardSeenElsewhere }) => guardSeenElsewhere !== undefined);
  const other = own?.guardSeenElsewhere;
  return {
    what: 'a second living process is told the same',
    isKept: other?.decision === 'blocked' && JSON.stringify(other) === JSON.stringify(own?.guard),
    detail: `${other?.decision ?? 'nothing'}, ${plural(other?.strikes ?? 0, 'strike')}`,
  };
}

function clearedForGood({ processes }: Act): KeptPromise {
  const cleared = processes.findIndex(hasHandReport);
  const after = processes.slice(cleared);
  const reading = requestsOf(after)[0]?.measuredTokens;
  return {
    what: 'one reading below the threshold clears it for good',
    isKept: cleared >= 0 && after.length > 1 && after.every(({ guard }) => guard.state === 'clear' && guard.decision === 'allow'),
    detail: `${formatCount(reading ?? 0)}, then ${after.at(-1)?.guard.decision ?? 'unknown'}`,
  };
}
