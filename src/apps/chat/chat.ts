// All that a chat works with, opened once: the library, the chat's own records, the model, the tools.
import { type AiSdkModel, aiSdkSummarizer } from '../../adapters/models/index.ts';
import { sqliteStore } from '../../adapters/sqlite/index.ts';
import { createUllage, type Log, type Ullage } from '../../index.ts';
import { chatFileOf } from './config/find-database.ts';
import type { LoadedProfile } from './config/load-config.ts';
import type { Profile, SummarizerConfig } from './config/schema.ts';
import type { Secrets } from './config/secrets.ts';
import type { ModelDoor } from './model/call-model.ts';
import { type Endpoint, type Fetch, loadModelFactory, loadSdk } from './model/language-model.ts';
import { OutcomeWatch } from './outcome-watch.ts';
import { type Database, openDatabase } from './store/database.ts';
import { openToolBox, type ToolBox } from './tools/tool-box.ts';
import { Conversations } from './turn/conversations.ts';

export interface Chat {
  readonly profile: Profile;
  readonly ullage: Ullage;
  readonly db: Database;
  readonly door: ModelDoor;
  readonly toolBox: ToolBox;
  readonly conversations: Conversations;
  readonly watch: OutcomeWatch;
  readonly secrets: Secrets;
  readonly log: Log;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  close(): Promise<void>;
}

export interface OpenOptions {
  readonly loaded: LoadedProfile;
  readonly secrets: Secrets;
  readonly log: Log;
  readonly now: () => number;
}

/** Throws option_invalid for what is missing; store_unavailable, store_newer, store_corrupt. */
export async function openChat({ loaded, secrets, log, now }: OpenOptions): Promise<Chat> {
  const { profile, database } = loaded;
  const endpoint = { ...endpointOf(profile, 'keyEnv', secrets), promptCache: profile.promptCache };
  const writer = profile.summarizer && summarizerEndpoint(profile, profile.summarizer, secrets);
  const sdk = await loadSdk();
  const models = await loadModelFactory([endpoint, ...(writer ? [writer] : [])]);
  const closing = new AbortController();
  const { threshold, target, tailTokens, messageLimit, window, maxOutputTokens } = profile;
  const ullage = createUllage({
    store: sqliteStore(database),
    api: profile.api,
    models: window === undefined ? undefined : { window, maxOutputTokens },
    policy: { threshold, target, tailTokens, messageLimit },
    route: profile.url ?? profile.api,
    summarizer:
      writer && aiSdkSummarizer(models(writer, fetchUntil(closing.signal)) as AiSdkModel, { windowTokens: profile.summarizer?.window }),
    log,
  });
  // Opens the store, and stores nothing: one that is damaged stops the start, not each answer.
  await ullage.session('start');
  const db = await openDatabase(chatFileOf(database));
  const toolBox = await openToolBox({ servers: profile.mcpServers, sdk, secrets, log, now });
  const door = { sdk, models, endpoint, system: profile.system, tools: toolBox.tools };
  const close = async () => {
    await toolBox.close();
    await ullage.close();
    closing.abort();
    db.close();
  };
  const conversations = new Conversations({ ullage, db, profile, door });
  return { profile, ullage, db, door, toolBox, conversations, watch: new OutcomeWatch(ullage), secrets, log, now, close };
}

/** A summary that nobody waits for any longer does not keep the process. */
function fetchUntil(closing: AbortSignal): Fetch {
  return (url, init = {}) => fetch(url, { ...init, signal: AbortSignal.any([closing, ...(init.signal ? [init.signal] : [])]) });
}

function endpointOf(from: Omit<Endpoint, 'apiKey'> & { readonly keyEnv?: string }, key: string, secrets: Secrets): Endpoint {
  const { api, url, model, maxOutputTokens, keyEnv } = from;
  return { api, url, model, maxOutputTokens, apiKey: keyEnv === undefined ? undefined : secrets.read(keyEnv, key) };
}

/** What it does not say, the profile does. A URL belongs to its API: another API's default is not the profile's URL. */
function summarizerEndpoint(profile: Profile, config: SummarizerConfig, secrets: Secrets): Endpoint {
  const isSame = config.api === undefined || config.api === profile.api;
  const { api, url, keyEnv } = profile;
  return endpointOf({ ...(isSame ? { url, keyEnv } : {}), ...config, api: config.api ?? api }, 'summarizer.keyEnv', secrets);
}
