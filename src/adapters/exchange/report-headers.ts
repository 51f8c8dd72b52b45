// What the response headers say of an exchange. Values are short and of visible ASCII.
import type { CompactionOutcome } from '../../core/plan/outcome.ts';
import type { ExchangeReport, HeaderList } from './exchange.ts';

/** Of all headers of ours: an upstream's own of this kind go no further. */
export const OWN_PREFIX = 'x-ullage-';

/** `x-ullage-session`, `x-ullage-context-tokens`, `x-ullage-outcome`: those of which something is known. */
export function reportHeaders(report: ExchangeReport): HeaderList {
  const outcome = outcomeText(report);
  return [
    ['x-ullage-session', headerSafe(report.sessionKey)],
    ...(report.contextTokens === undefined ? [] : [['x-ullage-context-tokens', String(Math.round(report.contextTokens))] as const]),
    ...(outcome === undefined ? [] : [['x-ullage-outcome', headerSafe(outcome)] as const]),
  ];
}

/** e.g. `compacted; 161204->74880`, `left-alone; previous_response_id`, `no_op; floor_above_target`. */
function outcomeText({ outcome, leftAlone }: ExchangeReport): string | undefined {
  if (leftAlone !== undefined) return outcome ? `${told(outcome)}; ${leftAlone}` : `left-alone; ${leftAlone}`;
  return outcome && told(outcome);
}

function told({ status, reason, oldRequestTokens, newRequestTokens }: CompactionOutcome): string {
  if (status === 'compacted') return `compacted; ${Math.round(oldRequestTokens)}->${Math.round(newRequestTokens)}`;
  return reason === undefined ? status : `${status}; ${reason}`;
}

const VALUE_LIMIT_CHARS = 256;

/** Other characters are percent-encoded: a session key may be in any language. */
function headerSafe(value: string): string {
  const safe = value.toWellFormed().replace(/[^\x21-\x7e ]|%/g, (character) => encodeURIComponent(character));
  return safe.length <= VALUE_LIMIT_CHARS ? safe : `${safe.slice(0, VALUE_LIMIT_CHARS - 3)}...`;
}
