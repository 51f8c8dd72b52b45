// Founding incident 2: tokens fall, the number of messages stays. Played twice: by the token threshold, and by a message limit.
import path from 'node:path';
import type { CompactionOutcome } from '../../../core/plan/outcome.ts';
import type { PolicyOptions } from '../../../core/size/policy.ts';
import { createUllage } from '../../../create-ullage.ts';
import type { Store } from '../../../ports/store.ts';
import { openaiChatCodec } from '../../../wire/index.ts';
import { openDatabase } from '../shared/database.ts';
import { freeKey } from '../shared/free-key.ts';
import { measureRequest, type RequestSize } from '../shared/request-size.ts';
import { withTemporaryFolder } from '../shared/temporary-folder.ts';
import { formatCount } from '../terminal/numbers.ts';
import { messagesOf220 } from './incident-220-history.ts';
import type { KeptPromise } from './restart-promises.ts';
import type { IncidentOptions } from './run-incident.ts';

export const WINDOW_220 = 1_000_000;
/** Due above so many messages, in the second part. */
export const MESSAGE_LIMIT = 200;

const PARTS = {
  token_threshold: { threshold: 250_000, target: 183_180 },
  message_hygiene: { threshold: 0.95, messageLimit: MESSAGE_LIMIT },
} as const satisfies Record<string, PolicyOptions>;

export type PartName = keyof typeof PARTS;

export interface Part220 {
  readonly name: PartName;
  readonly policy: PolicyOptions;
  readonly before: RequestSize;
  readonly after: RequestSize;
  readonly outcome: CompactionOutcome;
  /** What was sent keeps the rules of the API. */
  readonly isValid: boolean;
}

export interface Story220 {
  readonly parts: readonly Part220[];
  readonly promises: readonly KeptPromise[];
}

export async function play220({ db, progress }: IncidentOptions): Promise<Story220> {
  const play = async (file: string): Promise<Story220> => {
    const store = await openDatabase(file, { mustExist: false });
    try {
      const body = JSON.stringify({ model: 'scripted', messages: messagesOf220() });
      const parts: Part220[] = [];
      for (const name of Object.keys(PARTS) as PartName[]) {
        progress.update(`incident 220, ${name}`);
        parts.push(await playPart(name, { store, body }));
      }
      return { parts, promises: promisesOf(parts) };
    } finally {
      await store.close();
    }
  };
  return db === undefined ? withTemporaryFolder((folder) => play(path.join(folder, 'incident.db'))) : play(db);
}

async function playPart(name: PartName, { store, body }: { readonly store: Store; readonly body: string }): Promise<Part220> {
  const policy = PARTS[name];
  const models = { window: WINDOW_220, maxOutputTokens: 8_000 };
  const ullage = createUllage({ store, policy, models, api: 'openai-chat' });
  const session = await ullage.session(await freeKey(store, `incident:220:${name}`));
  const { text, outcome } = await session.prepare(body);
  if (outcome === undefined) throw new Error(`Nothing was due in part ${name} of the incident.`);
  const isValid = openaiChatCodec.validate(text).length === 0;
  return { name, policy, before: measureRequest(openaiChatCodec, body), after: measureRequest(openaiChatCodec, text), outcome, isValid };
}

function promisesOf(parts: readonly Part220[]): readonly KeptPromise[] {
  return parts.map(({ name, before, after, outcome, isValid }) => {
    const isSmaller = name === 'token_threshold' ? after.tokens < before.tokens : after.messages <= MESSAGE_LIMIT;
    const isAsDue = outcome.triggerReason === name && outcome.status === 'compacted';
    const change = `${formatCount(before.tokens)} → ${formatCount(after.tokens)} tokens, ${before.messages} → ${after.messages} messages`;
    return {
      what: name === 'token_threshold' ? 'fewer tokens succeed' : 'a message limit lowers messages',
      isKept: isAsDue && isSmaller && isValid && !outcome.exhausted,
      detail: isAsDue ? change : `${change}; ${outcome.status}, ${outcome.triggerReason}`,
    };
  });
}
