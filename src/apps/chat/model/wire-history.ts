// Closed turns are kept as the members of the API's own list of messages, encoded once: an upgrade of the SDK changes no byte that was sent
// before, and a long history costs no conversion. Here they are taken from a request body, and put into one.
import type { ModelMessage } from 'ai';
import type { Api } from '../../../index.ts';
import type { Endpoint, ModelFactory, Sdk } from './language-model.ts';

/** The member of a body that lists the messages. */
const LIST: Readonly<Record<Api, string>> = { 'openai-chat': 'messages', 'openai-responses': 'input', anthropic: 'messages' };

/** Put into a body so that no state is kept at the provider: the full history goes out each time. */
export const PROVIDER_OPTIONS = { openai: { store: false } };

type Body = Readonly<Record<string, unknown>>;

interface Member {
  readonly role?: string;
  readonly type?: string;
  readonly id?: string;
}

function listOf(api: Api, body: Body): readonly Member[] {
  const members = body[LIST[api]] as readonly Member[];
  return api === 'openai-responses' ? withoutLoneIds(members) : members;
}

const isLeading = ({ role }: Member): boolean => role === 'system' || role === 'developer';

/**
 * Items of Responses that came with reasoning are refused under their id without it, and the SDK leaves reasoning out that has no encrypted
 * content. Without an id an item stands for itself.
 */
function withoutLoneIds(items: readonly Member[]): readonly Member[] {
  let hasReasoning = false;
  return items.map((item) => {
    if (item.role === 'user' || item.type === 'function_call_output') hasReasoning = false;
    if (item.type === 'reasoning') hasReasoning = true;
    if (item.id === undefined || hasReasoning) return item;
    const { id: _, ...rest } = item;
    return rest;
  });
}

/** Messages as members of the list, JSON texts parted by commas. */
export async function encodeMessages(
  { sdk, models, endpoint }: { readonly sdk: Sdk; readonly models: ModelFactory; readonly endpoint: Endpoint },
  messages: readonly ModelMessage[],
): Promise<string> {
  let captured: string | undefined;
  const model = models(endpoint, async (_url, init) => {
    captured = init?.body as string;
    throw new Error('encoded, not sent');
  });
  const sent = sdk.generateText({ model, messages: [...messages], maxRetries: 0, providerOptions: PROVIDER_OPTIONS });
  const failure = await sent.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (captured === undefined) throw failure;
  return membersOf(listOf(endpoint.api, JSON.parse(captured) as Body));
}

const membersOf = (messages: readonly unknown[]): string => messages.map((message) => JSON.stringify(message)).join(',');

/** Caches up to the last message of each request (https://docs.claude.com/en/docs/build-with-claude/prompt-caching). */
const AUTOMATIC_CACHE = '"cache_control":{"type":"ephemeral"}';

/** The same body with the closed turns before its messages, behind the system prompt. */
export function withHistory(
  { api, promptCache = false }: Pick<Endpoint, 'api' | 'promptCache'>,
  bodyText: string,
  history: string,
): string {
  const body = JSON.parse(bodyText) as Body;
  const messages = listOf(api, body);
  const first = messages.findIndex((message) => !isLeading(message));
  const start = first < 0 ? messages.length : first;
  const members = [membersOf(messages.slice(0, start)), history, membersOf(messages.slice(start))].filter((text) => text !== '');
  const fields = Object.entries(body).map(([name, value]) =>
    name === LIST[api] ? `${JSON.stringify(name)}:[${members.join(',')}]` : `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  );
  if (api === 'anthropic' && promptCache) fields.push(AUTOMATIC_CACHE);
  return `{${fields.join(',')}}`;
}

/** The messages that a continuation begins with, in the API's format, as the user's words. */
export function userTextsOf(messages: readonly unknown[]): readonly string[] {
  return messages.flatMap((message) => {
    const { content } = message as { readonly content?: unknown };
    if (typeof content === 'string') return [content];
    if (!Array.isArray(content)) return [];
    return content.flatMap(({ text }: { readonly text?: unknown }) => (typeof text === 'string' ? [text] : []));
  });
}
