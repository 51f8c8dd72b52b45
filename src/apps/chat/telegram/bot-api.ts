// The few methods of the Bot API that a chat needs, over grammY. Its errors are told apart here; the token, which is part of every URL, is in none.
import type { Api } from 'grammy';
import type { Update } from 'grammy/types';
import type { Address } from '../store/rows.ts';

/** rate: not done, try later. network: perhaps done. refused: not done, and never will be. */
export type FaultKind = 'rate' | 'network' | 'refused';

export class BotApiFault extends Error {
  readonly kind: FaultKind;
  /** HTTP status, where there is one. */
  readonly code: number;
  readonly retryAfterMs: number;

  constructor(kind: FaultKind, message: string, { code = 0, retryAfterMs = 0 }: { code?: number; retryAfterMs?: number } = {}) {
    super(message);
    this.name = 'BotApiFault';
    this.kind = kind;
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}

/** No call with this token will ever be taken. */
export const isTokenRefused = ({ code }: BotApiFault): boolean => code === 401 || code === 404;

/** same: the message has this text already. gone: there is no such message of ours. */
export type Edited = 'changed' | 'same' | 'gone';

export interface BotApi {
  getMe(signal: AbortSignal): Promise<{ readonly id: number; readonly username: string }>;
  getUpdates(offset: number, signal: AbortSignal): Promise<readonly Update[]>;
  deleteWebhook(signal: AbortSignal): Promise<void>;
  setWebhook(url: string, secret: string, signal: AbortSignal): Promise<void>;
  /** Answers the id of the new message. */
  send(address: Address, text: string, signal: AbortSignal): Promise<number>;
  edit(address: Address, message: { readonly id: number; readonly text: string }, signal: AbortSignal): Promise<Edited>;
  typing(address: Address, signal: AbortSignal): Promise<void>;
  /** The bytes of a file; undefined when they are more than may be taken. */
  download(id: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array | undefined>;
}

export const POLL_SECONDS = 25;
/** Everything else is not looked at. */
export const ALLOWED_UPDATES = ['message', 'edited_message'] as const;

export interface BotApiOptions {
  readonly redact: (text: string) => string;
  /** The URL below which files are (https://core.telegram.org/bots/api#getfile). */
  readonly fileRoot: string;
}

/** Faults are {@link BotApiFault}; an aborted call throws the signal's reason. */
export function createBotApi(api: Api, { redact, fileRoot }: BotApiOptions): BotApi {
  const call = <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> =>
    work().catch((error: unknown) => {
      signal.throwIfAborted();
      throw faultOf(error, redact);
    });
  return {
    getMe: (signal) => call(signal, () => api.getMe(as(signal))),
    getUpdates: (offset, signal) =>
      call(signal, () => api.getUpdates({ offset, timeout: POLL_SECONDS, allowed_updates: ALLOWED_UPDATES }, as(signal))),
    deleteWebhook: (signal) => call(signal, async () => void (await api.deleteWebhook({}, as(signal)))),
    setWebhook: (url, secret, signal) =>
      call(signal, async () => {
        await api.setWebhook(url, { secret_token: secret, allowed_updates: ALLOWED_UPDATES }, as(signal));
      }),
    send: (address, text, signal) =>
      call(signal, async () => (await api.sendMessage(chatOf(address), text, placeOf(address), as(signal))).message_id),
    edit: (address, { id, text }, signal) =>
      call(signal, async (): Promise<Edited> => {
        await api.editMessageText(chatOf(address), id, text, { link_preview_options: { is_disabled: true } }, as(signal));
        return 'changed';
      }).catch(editedOf),
    typing: (address, signal) =>
      call(signal, async () => {
        await api.sendChatAction(chatOf(address), 'typing', threadOf(address), as(signal));
      }),
    download: (id, maxBytes, signal) =>
      call(signal, async () => {
        const { file_path: path = '', file_size: size = 0 } = await api.getFile(id, as(signal));
        return size > maxBytes ? undefined : await download(`${fileRoot}/${path}`, maxBytes, signal);
      }),
  };
}

const LONGEST_DOWNLOAD_MS = 60_000;

async function download(url: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array | undefined> {
  const either = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_DOWNLOAD_MS)]);
  const response = await fetch(url, { signal: either, redirect: 'error' });
  if (!response.ok) {
    await response.body?.cancel();
    throw { error_code: response.status, description: 'the file cannot be downloaded' } satisfies GrammyFault;
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    bytes += chunk.length;
    // Leaving the loop ends the response.
    if (bytes > maxBytes) return undefined;
  }
  return Buffer.concat(chunks);
}

/** grammY names the type of a package of its own. */
const as = (signal: AbortSignal) => signal as unknown as Parameters<Api['getMe']>[0];

const chatOf = (address: Address): number => Number(address.chat);

const threadOf = ({ topic }: Address) => (topic === undefined ? {} : { message_thread_id: Number(topic) });

/** In a group an answer points at its question. */
function placeOf(address: Address) {
  const reply = { message_id: Number(address.messageId), allow_sending_without_reply: true };
  return { ...threadOf(address), ...(address.isGroup === true ? { reply_parameters: reply } : {}) };
}

/** No timer takes more than some weeks; to ask once a day harms nobody. */
const LONGEST_REST_SECONDS = 86_400;

interface GrammyFault {
  readonly error_code?: number;
  readonly description?: string;
  readonly parameters?: { readonly retry_after?: number };
}

function faultOf(error: unknown, redact: (text: string) => string): BotApiFault {
  const { error_code: code, description = '', parameters } = error as GrammyFault;
  if (code === undefined) return new BotApiFault('network', redact(error instanceof Error ? error.message : String(error)));
  const said = redact(`${code}: ${description}`);
  if (code === 429)
    return new BotApiFault('rate', said, { code, retryAfterMs: Math.min(parameters?.retry_after ?? 1, LONGEST_REST_SECONDS) * 1_000 });
  return new BotApiFault(code >= 500 ? 'network' : 'refused', said, { code });
}

/** The Bot API tells these three apart by words alone. */
function editedOf(error: unknown): Edited {
  if (!(error instanceof BotApiFault) || error.code !== 400) throw error;
  if (/message is not modified/i.test(error.message)) return 'same';
  if (/message to edit not found|message can't be edited|MESSAGE_ID_INVALID/i.test(error.message)) return 'gone';
  throw error;
}
