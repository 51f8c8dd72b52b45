// The options of a gateway, and its limits with their defaults. What is wrong is named before anything listens.
import { UllageError } from '../../core/errors.ts';
import type { UllageOptions } from '../../engine/options.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { Store } from '../../ports/store.ts';
import type { ProxyAddresses } from './upstream/dispatcher.ts';

/** A name and its secret: who sends it sees the sessions of that name, and no others. */
export interface AccessToken {
  /** The tenant. */
  readonly name: string;
  readonly secret: string;
}

/** Named limits of a gateway. */
export interface GatewayLimits {
  /** Largest body of a request that is read here, bytes. Default 64 MiB. */
  readonly maxBodyBytes: number;
  /** A body above this counts as large, bytes: it is read on the one thread, and others wait meanwhile. Default 8 MiB. */
  readonly largeBodyBytes: number;
  /** Large bodies held at once; more of them wait. Default 8. */
  readonly maxLargeBodies: number;
  /** Requests under way at once; more are answered 503. Default 1,000. */
  readonly maxInFlight: number;
  /** Largest head of a request, bytes. Default 64 KiB. */
  readonly maxHeaderBytes: number;
  /** Longest pause of a client while it sends its head or body, milliseconds; also the longest wait for a large body's place. Default 30,000. */
  readonly requestIdleMs: number;
  /** Longest wait until a client takes what it was sent, milliseconds. Default 300,000. */
  readonly clientStallMs: number;
  /** Longest wait for a connection to an upstream, milliseconds. Default 10,000. */
  readonly connectMs: number;
  /** Longest wait for an upstream's status line, milliseconds. Default 900,000: an answer that is not streamed takes long. */
  readonly upstreamHeadMs: number;
  /** Longest pause inside an upstream's answer, milliseconds. Default 600,000. */
  readonly upstreamIdleMs: number;
  /** A client that streams and waits this long for a compaction is sent a sign of life, milliseconds; then again after each such time. Default 5,000. */
  readonly keepAliveMs: number;
  /** Longest time that requests under way are given at the end, milliseconds. Default 30,000. */
  readonly shutdownMs: number;
  /** Session objects kept in memory. Default 500. */
  readonly maxSessions: number;
  /** Bodies kept with them, bytes. Default 256 MiB. */
  readonly maxSessionBytes: number;
}

const MIB = 1024 * 1024;

const DEFAULT_LIMITS: GatewayLimits = {
  maxBodyBytes: 64 * MIB,
  largeBodyBytes: 8 * MIB,
  maxLargeBodies: 8,
  maxInFlight: 1_000,
  maxHeaderBytes: 64 * 1024,
  requestIdleMs: 30_000,
  clientStallMs: 300_000,
  connectMs: 10_000,
  upstreamHeadMs: 900_000,
  upstreamIdleMs: 600_000,
  keepAliveMs: 5_000,
  shutdownMs: 30_000,
  maxSessions: 500,
  maxSessionBytes: 256 * MIB,
};

/** Options of `createGateway`. */
export interface GatewayOptions {
  /** Where everything is kept. The gateway opens it, and closes it at the end. */
  readonly store: Store;
  /** Port to listen on; 0 = any free one. Default 4747. */
  readonly port?: number;
  /** Address to listen on. Default 127.0.0.1; any other needs tokens. */
  readonly host?: string;
  /** Base URL of the upstream for Chat Completions and Responses. Default https://api.openai.com. */
  readonly upstreamOpenai?: string;
  /** Base URL of the upstream for Messages. Default https://api.anthropic.com. */
  readonly upstreamAnthropic?: string;
  /** With tokens every request needs one; without, everybody on this machine is the tenant 'local'. */
  readonly tokens?: readonly AccessToken[];
  /** Names by which clients may call this gateway besides the loopback ones (Host header). */
  readonly allowedHosts?: readonly string[];
  /** Origins of web pages and apps that may call it besides loopback ones (Origin header). */
  readonly allowedOrigins?: readonly string[];
  /** `none`, `same[:MODEL]`, `provider` or `URL#MODEL`. Default 'none': the facts are the summary. */
  readonly summarizer?: string;
  /** Key for the `URL#MODEL` summarizer. */
  readonly summarizerKey?: string;
  /** Windows of models, and when and how far to compact: as of `createUllage`. */
  readonly models?: UllageOptions['models'];
  readonly policy?: UllageOptions['policy'];
  /** Sessions of this gateway's tenants whose last request is older are deleted on start and once a day, milliseconds; undefined = never. */
  readonly retentionMs?: number;
  /** HTTP proxies between here and the upstreams; loopback upstreams are called directly. */
  readonly proxies?: ProxyAddresses;
  readonly limits?: Partial<GatewayLimits>;
  readonly clock?: Clock;
  readonly log?: Log;
}

export const DEFAULT_PORT = 4747;
export const DEFAULT_HOST = '127.0.0.1';
export const DEFAULT_UPSTREAM_OPENAI = 'https://api.openai.com';
/** For requests with a ChatGPT login, as long as no other upstream is named. */
export const UPSTREAM_CHATGPT = 'https://chatgpt.com/backend-api/codex';
export const DEFAULT_UPSTREAM_ANTHROPIC = 'https://api.anthropic.com';

/** A timer of more is due at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** Throws option_invalid, naming the limit. */
export function completeLimits(given: Partial<GatewayLimits> = {}): GatewayLimits {
  const limits = { ...DEFAULT_LIMITS, ...given };
  for (const [name, value] of Object.entries(limits)) {
    const most = name.endsWith('Ms') ? LONGEST_TIMER_MS : Number.MAX_SAFE_INTEGER;
    if (Number.isInteger(value) && value > 0 && value <= most) continue;
    throw new UllageError('option_invalid', `Option limits.${name} is ${value}; it must be a whole number from 1 to ${most}.`);
  }
  return limits;
}

/** Addresses that only this machine can reach. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** Throws option_invalid for a port, an address or tokens that cannot be used. */
export function checkListening({ port = DEFAULT_PORT, host = DEFAULT_HOST, tokens = [] }: GatewayOptions): void {
  if (!(Number.isInteger(port) && port >= 0 && port <= 65_535))
    throw new UllageError('option_invalid', `--port ${port}: expected a port from 0 to 65535.`);
  if (tokens.length === 0 && !isLoopback(host)) {
    throw new UllageError(
      'option_invalid',
      `--host ${host}: others can reach this address, and no token is set. Without one the gateway listens only on this machine.`,
      { hint: 'Set ULLAGE_TOKENS="name=secret", or name a file of such lines with --tokens-file.' },
    );
  }
  for (const { name, secret } of tokens) checkToken(name, secret);
  if (new Set(tokens.map(({ secret }) => secret)).size < tokens.length)
    throw new UllageError('option_invalid', 'Two access tokens have the same secret: each tenant needs its own.');
}

const TENANT_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const SECRET = /^[\x21-\x7e]{16,512}$/;

function checkToken(name: string, secret: string): void {
  if (!TENANT_NAME.test(name)) {
    throw new UllageError(
      'option_invalid',
      `The access token name ${JSON.stringify(name.slice(0, 80))} has other than letters, digits, ".", "_" and "-", or not 1 to 64 of them.`,
    );
  }
  if (!SECRET.test(secret))
    throw new UllageError('option_invalid', `The secret of access token ${name} must be 16 to 512 visible ASCII characters.`, {
      hint: 'Make one with: openssl rand -hex 24',
    });
}
