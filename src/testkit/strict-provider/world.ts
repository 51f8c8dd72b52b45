// What all requests of one provider share.
import { type Account, createAccount } from './bill.ts';
import type { StrictProviderOptions } from './options.ts';
import { createPrefixCache, type PrefixCache } from './prefix-cache.ts';
import { createScript, type Script } from './script.ts';
import { resolveSettings, type Settings } from './settings.ts';
import { createStoredResponses, type StoredResponses } from './stored-responses.ts';
import { createUsageReport, type UsageReport } from './usage-report.ts';

export interface World {
  readonly settings: Settings;
  readonly script: Script;
  readonly cache: PrefixCache;
  readonly account: Account;
  readonly usage: UsageReport;
  readonly responses: StoredResponses;
  /** A new id, unique in this provider and short. */
  nextId(): string;
}

const ID_DIGITS = 6;

/** A world in which nothing has happened yet. */
export function createWorld(options: StrictProviderOptions): World {
  let next = options.firstId ?? 1;
  return {
    settings: resolveSettings(options),
    script: createScript(options.script),
    cache: createPrefixCache(),
    account: createAccount(),
    usage: createUsageReport(),
    responses: createStoredResponses(),
    nextId() {
      next += 1;
      return String(next - 1).padStart(ID_DIGITS, '0');
    },
  };
}
