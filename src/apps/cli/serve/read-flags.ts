// Flags and environment into the options of a gateway. Secrets are read here, and told nowhere.
import type { PolicyOptions } from '../../../core/size/budget.ts';
import type { GatewayOptions } from '../../gateway/options.ts';
import { parseAge } from '../sessions/time-text.ts';
import { parseAmount } from '../shared/amount.ts';
import { parseTokens } from '../terminal/numbers.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { GatewayFlags } from './gateway-options.ts';

/** All but the store, the address and the log. Throws option_invalid. */
export function readGatewayFlags(flags: GatewayFlags, env: Terminal['env']): Omit<GatewayOptions, 'store'> {
  return {
    upstreamOpenai: flags.upstreamOpenai,
    upstreamAnthropic: flags.upstreamAnthropic,
    summarizer: flags.summarizer,
    summarizerKey: env.ULLAGE_SUMMARIZER_KEY,
    retentionMs: flags.retention === 'off' ? undefined : parseAge('--retention', flags.retention),
    models: flags.window === undefined ? undefined : { window: parseTokens('--window', flags.window) },
    policy: policyOf(flags),
    proxies: {
      http: env.HTTP_PROXY ?? env.http_proxy,
      https: env.HTTPS_PROXY ?? env.https_proxy,
      none: env.NO_PROXY ?? env.no_proxy,
    },
  };
}

function policyOf({ threshold, target }: GatewayFlags): PolicyOptions {
  return {
    ...(threshold === undefined ? {} : { threshold: amountOf('--threshold', threshold) }),
    ...(target === undefined ? {} : { target: amountOf('--target', target) }),
  };
}

/** As the engine reads it: 0..1 is a share, more are tokens. */
function amountOf(option: string, text: string): number {
  const amount = parseAmount(option, text);
  return amount.kind === 'share' ? amount.share : amount.tokens;
}
