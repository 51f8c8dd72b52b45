// Who may ask, before anything of a request is read: the Host and Origin of browsers, and tokens. Answers the tenant.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { GatewayFault } from '../fault.ts';
import { type AccessToken, isLoopback } from '../options.ts';

/** Everybody on this machine, where there are no tokens. */
const LOCAL_TENANT = 'local';

export interface Access {
  /** Throws GatewayFault. `isOwn`: our own API, which also takes the token as a bearer. */
  tenantOf(request: IncomingMessage, isOwn: boolean): string;
  readonly tenants: readonly string[];
}

export interface AccessOptions {
  readonly tokens: readonly AccessToken[];
  /** Besides loopback names. */
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
  /** Others can reach the address: its names are not known, and every request has a token. */
  readonly isPublic: boolean;
}

export function createAccess(options: AccessOptions): Access {
  const hosts = new Set(options.hosts.map((host) => host.toLowerCase()));
  const origins = new Set(options.origins.map((origin) => origin.toLowerCase()));
  const known = options.tokens.map(({ name, secret }) => ({ name, digest: digestOf(secret) }));
  return {
    tenants: known.length === 0 ? [LOCAL_TENANT] : [...new Set(known.map(({ name }) => name))],
    tenantOf(request, isOwn) {
      if (!options.isPublic || hosts.size > 0) checkHost(request, hosts);
      checkOrigin(request, origins);
      if (known.length === 0) return LOCAL_TENANT;
      const tenant = tenantOfSecret(known, secretOf(request, isOwn));
      if (tenant !== undefined) return tenant;
      throw new GatewayFault('token_required', {
        status: 401,
        message: 'this gateway needs an access token, and the request has none that is known.',
        hint: 'Send it as the header x-ullage-token.',
      });
    },
  };
}

/** A page of the web that resolves its own name to this machine still says its own name (DNS rebinding). */
function checkHost(request: IncomingMessage, allowed: ReadonlySet<string>): void {
  const host = hostName(request.headers.host ?? '');
  if (isLoopback(host) || host.endsWith('.localhost') || allowed.has(host)) return;
  throw new GatewayFault('forbidden_host', {
    status: 403,
    message: `the request was sent to the name ${JSON.stringify(host.slice(0, 100))}, which is not one of this gateway's.`,
    hint: 'Call it as 127.0.0.1 or localhost, or allow the name with --allow-host.',
  });
}

/** Without its port, in lower case. */
function hostName(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase();
}

function checkOrigin(request: IncomingMessage, allowed: ReadonlySet<string>): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (origin === undefined && site !== 'cross-site') return;
  if (origin !== undefined && (allowed.has(origin.toLowerCase()) || isLoopbackOrigin(origin))) return;
  throw new GatewayFault('forbidden_origin', {
    status: 403,
    message: `pages of the origin ${JSON.stringify((origin ?? 'unknown').slice(0, 100))} may not call this gateway.`,
    hint: 'Allow an origin that is yours with --allow-origin.',
  });
}

function isLoopbackOrigin(origin: string): boolean {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  return (url?.protocol === 'http:' || url?.protocol === 'https:') && isLoopback(url.hostname);
}

function secretOf({ headers }: IncomingMessage, isOwn: boolean): string {
  const given = headers['x-ullage-token'];
  if (typeof given === 'string') return given;
  return isOwn ? (/^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '') : '';
}

/** Digests are compared, all of them, whatever the first says: the time tells nothing. */
function tenantOfSecret(known: readonly { readonly name: string; readonly digest: Buffer }[], secret: string): string | undefined {
  const given = digestOf(secret);
  return known.filter(({ digest }) => timingSafeEqual(digest, given))[0]?.name;
}

function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
