// Which session a request belongs to: named by its path or header, by the client's own id, by its cache key, or by how its conversation begins.
import type { WireCodec } from '../../core/codec.ts';
import { chainHash, fingerprint } from '../../core/transcript/chain.ts';
import type { Api } from '../../core/transcript/entry.ts';
import { isGenuineUserMessage } from '../../core/transcript/genuine.ts';
import { firstMessages } from '../../wire/body-beginning.ts';
import { codecFor } from '../../wire/index.ts';
import { memberValue } from '../../wire/member-value.ts';
import { sha256 } from '../system/index.ts';
import { headerOf } from './answers.ts';
import { bodyText } from './body-text.ts';
import type { HeaderList } from './exchange.ts';

/** Where the key was found. */
export type SessionKeySource = 'path' | 'header' | 'client' | 'cache-key' | 'chain';

export interface SessionKey {
  /** At most 200 characters, none of them a control character. */
  readonly key: string;
  readonly source: SessionKeySource;
}

export interface KeyedRequest {
  readonly api: Api;
  /** Session named in the path, or by whoever embeds us. */
  readonly pathSession?: string;
  readonly headers: HeaderList;
  /** Bytes, or the text they are where that is known. */
  readonly body: Uint8Array | string;
}

/** Names the session of a request. Stripped upstream. */
export const SESSION_HEADER = 'x-ullage-session';

/** Session ids of known clients, the most telling first. None of them is a credential. */
const CLIENT_HEADERS = ['x-claude-code-session-id', 'session-id', 'session_id', 'thread-id', 'x-session-id', 'x-session-affinity'] as const;

/** Never throws: a body that cannot be read shares one key with all others of its API. */
export function sessionKeyOf(request: KeyedRequest): SessionKey {
  const { api, pathSession, headers } = request;
  if (isNamed(pathSession)) return { key: keyOf('', pathSession), source: 'path' };
  const explicit = headerOf(headers, SESSION_HEADER);
  if (isNamed(explicit)) return { key: keyOf('', explicit), source: 'header' };
  const own = CLIENT_HEADERS.map((name) => headerOf(headers, name)).find(isNamed);
  // The body is only looked at when no header says who it is.
  const body = own === undefined ? bodyOf(request) : undefined;
  const client = own ?? (api === 'anthropic' ? metadataSession(body?.member('metadata')) : undefined);
  if (client !== undefined) return { key: keyOf('client:', client), source: 'client' };
  const cacheKey = body?.member('prompt_cache_key');
  if (isNamed(cacheKey)) return { key: keyOf('cache:', cacheKey), source: 'cache-key' };
  return { key: `auto:${api}:${body?.beginning() ?? 'unread'}`, source: 'chain' };
}

function isNamed(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

const ID_LIMIT_CHARS = 180;
const HASH_CHARS = 40;

/** What is too long, or could break a line of a log or a header, is hashed. */
function keyOf(prefix: string, id: string): string {
  const trimmed = id.trim();
  const isPlain = trimmed.length <= ID_LIMIT_CHARS && trimmed.isWellFormed() && !/\p{Cc}/u.test(trimmed);
  return prefix + (isPlain ? trimmed : `sha256:${sha256(trimmed).slice(0, HASH_CHARS)}`);
}

/** Claude Code: `metadata.user_id` is JSON with a session_id, in older versions `user_…_session_<uuid>`. */
function metadataSession(metadata: unknown): string | undefined {
  const userId = typeof metadata === 'object' && metadata !== null ? (metadata as { user_id?: unknown }).user_id : undefined;
  if (typeof userId !== 'string') return undefined;
  if (userId.trimStart().startsWith('{')) {
    const told = memberValue(userId, { start: 0, end: userId.length });
    const session = typeof told === 'object' && told !== null ? (told as { session_id?: unknown }).session_id : undefined;
    return isNamed(session) ? session : undefined;
  }
  return /_session_([0-9a-f][0-9a-f-]{7,63})$/i.exec(userId.slice(-100))?.[1];
}

interface LazyBody {
  member(name: string): unknown;
  /** Hash of how the conversation begins; undefined without messages. */
  beginning(): string | undefined;
}

/** Of a long history only the first messages are looked at, but where a name may stand behind it. */
function bodyOf({ api, body }: KeyedRequest): LazyBody | undefined {
  const text = typeof body === 'string' ? body : bodyText(body);
  if (text === undefined) return undefined;
  const codec = codecFor(api);
  return {
    member: (name) =>
      text.includes(`"${name}"`) ? orUndefined(() => memberValue(text, codec.decodeBody(text).members.get(name))) : undefined,
    beginning: () => orUndefined(() => beginningOf(codec, firstMessages(api, text, SHARED_ENTRIES))),
  };
}

/** Of a body that is none of the API's. */
function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Two conversations are one when they share this much: entries, or genuine turns. */
const SHARED_ENTRIES = 4;
const SHARED_TURNS = 2;

/** Chain hash where enough is there to know the conversation again; of a shorter one, of its last entry. */
function beginningOf(codec: WireCodec, raws: readonly string[]): string | undefined {
  let chain: string | undefined;
  let turns = 0;
  for (const raw of raws) {
    chain = chainHash(chain ?? '', fingerprint(codec.canonicalMessage(raw), sha256), sha256);
    if (isGenuineUserMessage(codec.decodeMessage(raw))) turns++;
    if (turns >= SHARED_TURNS) break;
  }
  return chain?.slice(0, HASH_CHARS);
}
