// Flags and environment into the options of a gateway. Secrets are read here, and told nowhere.
import { UllageError } from '../../../core/errors.ts';
import type { PolicyOptions } from '../../../core/size/budget.ts';
import type { GatewayLimits, GatewayOptions } from '../../gateway/options.ts';
import { parseAge } from '../sessions/time-text.ts';
import { parseAmount } from '../shared/amount.ts';
import { parseTokens, parseWhole } from '../terminal/numbers.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type GatewayFlags, LIMIT_NAMES } from './gateway-options.ts';

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
    limits: limitsOf(flags.limit ?? []),
    proxies: {
      http: env.HTTP_PROXY ?? env.http_proxy,
      https: env.HTTPS_PROXY ?? env.https_proxy,
      none: env.NO_PROXY ?? env.no_proxy,
    },
  };
}

function limitsOf(words: readonly string[]): Partial<GatewayLimits> {
  return Object.fromEntries(words.map(limitOf));
}

function limitOf(word: string): [name: string, value: number] {
  const [name = '', value = ''] = word.split('=', 2);
  if ((LIMIT_NAMES as readonly string[]).includes(name)) return [name, parseWhole(`--limit ${name}`, value)];
  throw new UllageError('option_invalid', `--limit ${JSON.stringify(word)}: expected NAME=NUMBER with one of ${LIMIT_NAMES.join(', ')}.`);
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
