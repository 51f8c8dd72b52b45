// Whatever stood in the way of a request, in words for its client; counted and logged here, once, without what the request said.
import { type ToldFault, toldFault } from '../fault.ts';
import type { GatewayContext } from '../gateway-context.ts';
import type { UpstreamName } from '../route.ts';
import { networkCode, networkFault } from '../upstream/network-fault.ts';

/** `upstream` is the one that was to be asked, if any. */
export function tellFault(gateway: GatewayContext, error: unknown, upstream?: UpstreamName): ToldFault {
  const { log, metrics, upstreams } = gateway;
  const network = upstream && networkFault(error, upstreams[upstream].text);
  if (network) {
    metrics.countUpstreamError(upstream, networkCode(error) ?? '');
    log.write('warn', network.message);
    return toldFault(network);
  }
  const told = toldFault(error);
  if (told.code === 'internal') log.write('error', 'A request failed inside the gateway.', { error: stackOf(error) });
  return told;
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
