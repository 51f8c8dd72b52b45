// May a summary be asked for behind the request that was sent already, so that the provider reads it from its cache? Or why not. Pure.
import type { Api, Entry } from '../transcript/entry.ts';
import { redactSecrets } from './redact.ts';

/** Why the cached prefix is not used. */
export type PrefixRefusal =
  /** The summarizer is of another API or model: nothing of it is cached there. */
  | 'other_model'
  /** The newest answer is too long ago: the cache has forgotten it, and writing it again costs more than reading plain text. */
  | 'cold'
  /** With instructions and summary it would not fit the window. */
  | 'too_large'
  /** Plain text is shorter by more than the discount. */
  | 'not_cheaper'
  /** Tools that cannot be held back without losing the cache, or that the provider runs by itself. */
  | 'tools'
  /** The request asks for another form than text, and without that it would be another prefix. */
  | 'format'
  /** Images or files stand in it. */
  | 'media'
  /** A secret stands in it: what a summarizer is sent is redacted, a prefix cannot be. */
  | 'secrets'
  /** The provider holds a part of it, or it cannot be taken apart. */
  | 'opaque';

/** Whose requests a summarizer can be asked behind. */
export interface PrefixUse {
  readonly api: Api;
  readonly model: string;
  /** Nothing but that: it reads no plain text. The answer is never a call of a tool. */
  readonly isOnly?: boolean;
}

export interface PrefixCase {
  readonly api: Api;
  readonly model: string;
  /** What the summarizer can be asked behind. */
  readonly usesPrefix: PrefixUse;
  /** Entries of the range, as they were sent. */
  readonly entries: readonly Entry[];
  /** JSON text of the request up to the end of the range. */
  readonly body: string;
  readonly hasTools: boolean;
  /** Tokens of that request, of the instructions, and of the summary. */
  readonly tokens: number;
  readonly windowTokens: number;
  /** Tokens of the same range as plain text. */
  readonly plainTokens: number;
  /** Since the newest answer to a request with these bytes, milliseconds; undefined = never. */
  readonly idleMs: number | undefined;
}

/** Shortest life of a prompt cache among the three APIs, less what a call takes. */
const CACHE_LIFE_MS = 270_000;
/** What reading from the cache costs at most, as a share of the plain price: a quarter, and less with newer models. */
const CACHED_PRICE = 0.25;

/** Members of a body by which a provider runs tools, whatever its tool_choice says. */
const RUNS_TOOLS = ['functions', 'mcp_servers', 'web_search_options', 'plugins', 'container'] as const;

/** undefined = it is safe and cheaper. */
export function prefixRefusal(given: PrefixCase): PrefixRefusal | undefined {
  const { usesPrefix, api, model, entries } = given;
  if (usesPrefix.api !== api || usesPrefix.model !== model) return 'other_model';
  if (given.idleMs === undefined || given.idleMs < 0 || given.idleMs > CACHE_LIFE_MS) return 'cold';
  if (given.tokens > given.windowTokens) return 'too_large';
  const isOnly = usesPrefix.isOnly === true;
  // There is no plain text to compare with.
  if (!isOnly && given.tokens * CACHED_PRICE >= given.plainTokens) return 'not_cheaper';
  // Anthropic: another tool_choice invalidates the messages' cache. Tools that could be called would be called.
  const members = JSON.parse(given.body) as Readonly<Record<string, unknown>>;
  if ((api === 'anthropic' && given.hasTools && !isOnly) || RUNS_TOOLS.some((name) => members[name] !== undefined)) return 'tools';
  if (!isPlainText(members) || (isOnly && editsContext(members))) return 'format';
  // Without a marker this provider caches nothing of the messages.
  if (api === 'anthropic' && !given.body.includes('"cache_control"')) return 'cold';
  const parts = entries.flatMap(({ message }) => message.parts);
  if (parts.some((part) => part.kind === 'opaque')) return 'opaque';
  if (parts.some((part) => part.kind === 'media' || (part.kind === 'result' && part.media.length > 0))) return 'media';
  return redactSecrets(given.body) === given.body ? undefined : 'secrets';
}

interface Formatted {
  readonly response_format?: { readonly type?: unknown };
  readonly text?: { readonly format?: { readonly type?: unknown } };
  readonly output_config?: { readonly format?: unknown };
  readonly output_format?: unknown;
  readonly modalities?: readonly unknown[];
}

/** The answer would be prose, not JSON by a schema, nor sound. */
function isPlainText({ response_format, text, output_config, output_format, modalities }: Formatted): boolean {
  const isText = (format: { readonly type?: unknown } | null | undefined) => (format?.type ?? 'text') === 'text';
  const isOther = output_config?.format ?? output_format ?? modalities?.find((mode) => mode !== 'text');
  return isText(response_format) && isText(text?.format) && (isOther ?? undefined) === undefined;
}

const KEEPS_ALL = { type: 'clear_thinking_20251015', keep: 'all' } as const;

/** What the provider read was not what was sent; an edit that keeps everything is none. */
function editsContext({ context_management: management }: { readonly context_management?: unknown }): boolean {
  const edits = management === undefined ? [] : ((management as { readonly edits?: unknown } | null)?.edits ?? []);
  if (!Array.isArray(edits)) return true;
  return !edits.every((edit: Partial<typeof KEEPS_ALL> | null) => edit?.type === KEEPS_ALL.type && edit.keep === KEEPS_ALL.keep);
}
