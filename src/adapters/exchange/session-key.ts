// Which session a request belongs to: named by its path or header, by the client's own id, by its cache key, or by how its conversation begins.
import type { WireCodec } from '../../core/codec.ts';
import { chainHash, fingerprint } from '../../core/transcript/chain.ts';
import type { Api } from '../../core/transcript/entry.ts';
import { isGenuineUserMessage } from '../../core/transcript/genuine.ts';
import { codecFor } from '../../wire/index.ts';
import { memberValue } from '../../wire/member-value.ts';
import { sha256 } from '../system/index.ts';
import { headerOf } from './answers.ts';
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
  // The body is only cut when no header says who it is.
  const body = own === undefined ? cutBody(request) : undefined;
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

interface CutBody {
  member(name: string): unknown;
  /** Hash of how the conversation begins; undefined without messages. */
  beginning(): string | undefined;
}

function cutBody({ api, body }: KeyedRequest): CutBody | undefined {
  try {
    const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
    const codec = codecFor(api);
    const cut = codec.decodeBody(text);
    const raws = cut.messages.slice(cut.preambleCount, cut.preambleCount + SHARED_ENTRIES).map(({ start, end }) => text.slice(start, end));
    return { member: (name) => memberValue(text, cut.members.get(name)), beginning: () => beginningOf(codec, raws) };
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
  try {
    for (const raw of raws) {
      chain = chainHash(chain ?? '', fingerprint(codec.canonicalMessage(raw), sha256), sha256);
      if (isGenuineUserMessage(codec.decodeMessage(raw))) turns++;
      if (turns >= SHARED_TURNS) break;
    }
  } catch {
    // A message that is none of the API's: the request will not be taken in either.
    return undefined;
  }
  return chain?.slice(0, HASH_CHARS);
}
