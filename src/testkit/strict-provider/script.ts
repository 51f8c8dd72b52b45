// Which faults meet a request: the list is played, the function is asked.
import type { Fault } from './fault.ts';
import type { StrictProviderOptions } from './options.ts';
import type { ProviderRequest } from './request.ts';

/** The faults of one request, each type at most once. */
export type Faults = { readonly [T in Fault['type']]?: Extract<Fault, { readonly type: T }> };

/** Asked once for each valid request for an answer. */
export type Script = (request: ProviderRequest) => Faults;

/** A script that remembers what it has played. */
export function createScript(script: StrictProviderOptions['script'] = []): Script {
  if (typeof script === 'function') {
    return (request) => byType([script(request) ?? []].flat().filter((fault) => isMeant(fault, request)));
  }
  const waiting = new Set(script.filter(({ at }) => at === undefined));
  return (request) => {
    const timed = script.filter((fault) => fault.at !== undefined && isMeant(fault, request));
    const next = [...waiting].find((fault) => isMeant(fault, request));
    if (next !== undefined) waiting.delete(next);
    return byType(next === undefined ? timed : [next, ...timed]);
  };
}

function isMeant({ at, api, model }: Fault, request: ProviderRequest): boolean {
  if ((api !== undefined && api !== request.api) || (model !== undefined && model !== request.model)) return false;
  if (at === undefined || at === 'always') return true;
  return typeof at === 'number' ? at === request.number : at.includes(request.number ?? 0);
}

function byType(faults: readonly Fault[]): Faults {
  return Object.fromEntries(faults.map((fault) => [fault.type, fault]));
}
