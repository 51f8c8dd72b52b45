// How a program is told to use a gateway: environment variables, and for Codex options of its own. What it used before becomes the upstream.
import path from 'node:path';
import type { Terminal } from '../terminal/terminal.ts';

/** Servers that the environment names already: behind a gateway they are its upstreams. */
export function upstreamsOf(env: Terminal['env']): { readonly anthropic?: string; readonly openai?: string } {
  return { anthropic: named(env.ANTHROPIC_BASE_URL), openai: named(env.OPENAI_BASE_URL) ?? named(env.OPENAI_API_BASE) };
}

function named(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value;
}

export function environmentFor(env: Terminal['env'], url: string): Record<string, string | undefined> {
  return {
    ...env,
    ANTHROPIC_BASE_URL: url,
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_API_BASE: `${url}/v1`,
    ...withoutProxy(env, new URL(url).hostname),
  };
}

const PROXY_NAMES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];

/** A program that uses a proxy is told not to for the gateway. */
function withoutProxy(env: Terminal['env'], host: string): Record<string, string> {
  if (!PROXY_NAMES.some((name) => named(env[name]) !== undefined)) return {};
  const list = [named(env.NO_PROXY ?? env.no_proxy), host].filter((item) => item !== undefined).join(',');
  return { NO_PROXY: list, no_proxy: list };
}

/** Codex reads no base URL from the environment: it is given a provider, with the account it is logged in with. */
export function argumentsFor(command: string, args: readonly string[], url: string): readonly string[] {
  const name = path.basename(command).replace(/\.(?:js|cmd|exe)$/, '');
  if (name !== 'codex') return args;
  const settings = [
    'model_provider="ullage"',
    'model_providers.ullage.name="ullage"',
    `model_providers.ullage.base_url="${url}/v1"`,
    'model_providers.ullage.wire_api="responses"',
    'model_providers.ullage.requires_openai_auth=true',
    'model_providers.ullage.supports_websockets=false',
  ];
  return [...settings.flatMap((setting) => ['-c', setting]), ...args];
}
