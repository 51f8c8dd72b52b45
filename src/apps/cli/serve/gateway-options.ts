// The options that `serve` and `run` share. Only their words: what they mean is read when a gateway is made.
import type { Command } from 'commander';
import { DEFAULT_DATABASE } from '../shared/default-database.ts';

export interface GatewayFlags {
  readonly db: string;
  readonly upstreamOpenai?: string;
  readonly upstreamAnthropic?: string;
  readonly summarizer: string;
  readonly retention: string;
  readonly window?: string;
  readonly threshold?: string;
  readonly target?: string;
  readonly limit?: readonly string[];
}

/** Names of GatewayLimits: a test holds them together. */
export const LIMIT_NAMES = [
  'maxBodyBytes',
  'largeBodyBytes',
  'maxLargeBodies',
  'maxInFlight',
  'maxHeaderBytes',
  'requestIdleMs',
  'clientStallMs',
  'connectMs',
  'upstreamHeadMs',
  'upstreamIdleMs',
  'keepAliveMs',
  'shutdownMs',
  'maxSessions',
  'maxSessionBytes',
] as const;

/** Longest wait for another program that holds the database, milliseconds: a request goes on without it then. */
export const STORE_RETRY_MS = 2_000;

export function addGatewayOptions(command: Command): Command {
  return command
    .option('--db <file>', 'the database; several gateways may share one', DEFAULT_DATABASE)
    .option('--upstream-openai <url>', 'server for Chat Completions and Responses (default: https://api.openai.com)')
    .option('--upstream-anthropic <url>', 'server for Messages (default: https://api.anthropic.com)')
    .option(
      '--summarizer <which>',
      'none, same[:MODEL] or provider (Anthropic; both on the account of the request), or URL#MODEL (key: ULLAGE_SUMMARIZER_KEY)',
      'none',
    )
    .option('--retention <age>', 'sessions without a request for so long are deleted; off = never', '90d')
    .option('--window <tokens>', "the models' window; default: what is known of each model")
    .option('--threshold <size>', 'tokens, or a share of what is usable, at which a compaction is due (default: 80%)')
    .option('--target <size>', 'tokens, or a share of what is usable, that it aims for (default: 35%)')
    .option('--limit <name=number...>', `a limit or time limit of the gateway: ${LIMIT_NAMES.join(', ')}`);
}
