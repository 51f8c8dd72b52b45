// A Bot API of one's own on loopback: keeps chats and messages as Telegram does, refuses as it does, and fails when it is told to.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message of the bot, as it stands in the chat now. */
export interface BotMessage {
  readonly chat: number;
  readonly id: number;
  text: string;
  /** Every text it has had, oldest first. */
  readonly texts: string[];
}

export interface Call {
  readonly method: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Answered instead of the method: an error of the API, or a cut connection before or after the method was carried out. */
export type Fault =
  | { readonly kind: 'error'; readonly code: number; readonly description: string; readonly retryAfter?: number }
  | { readonly kind: 'cut-before' }
  | { readonly kind: 'cut-after' };

export interface FakeBotApi {
  readonly url: string;
  readonly messages: readonly BotMessage[];
  readonly calls: readonly Call[];
  readonly webhook: { url?: string; secret?: string };
  /** Updates that nobody has acknowledged. */
  readonly pending: number;
  /** Something a person did; answers its update id. */
  push(update: Readonly<Record<string, unknown>>): number;
  /** A text of a person in a private chat. */
  say(user: number, text: string, more?: Readonly<Record<string, unknown>>): number;
  /** What can be downloaded, by file id. */
  readonly files: Map<string, Uint8Array>;
  /** A picture of a person in a private chat, in two sizes: `small` and the one that is given. */
  sendPhoto(user: number, id: string, more?: Readonly<Record<string, unknown>>): number;
  /** A document of a person in a private chat. */
  sendDocument(user: number, document: Readonly<Record<string, unknown>>, more?: Readonly<Record<string, unknown>>): number;
  /** Asked for every call. */
  fault: ((call: Call) => Fault | undefined) | undefined;
  /** Takes a message of the bot away, as people can. */
  remove(id: number): void;
  /** Resolves when the test holds; looked at after every call. */
  until(test: () => boolean): Promise<void>;
  close(): Promise<void>;
}

type Reply = { readonly ok: true; readonly result: unknown } | { readonly ok: false; readonly code: number; readonly description: string };

const BOT = { id: 424_242, is_bot: true, first_name: 'Test', username: 'ullage_test_bot' };
const LONGEST_TEXT = 4_096;
const LARGEST_FILE_BYTES = 20_000_000;

export async function fakeBotApi(token: string): Promise<FakeBotApi> {
  const updates: { readonly update_id: number }[] = [];
  const messages: BotMessage[] = [];
  const calls: Call[] = [];
  const webhook: FakeBotApi['webhook'] = {};
  const files: FakeBotApi['files'] = new Map();
  const watchers = new Set<() => void>();
  const waiting = new Set<() => void>();
  /** Message ids are the bot's own in private chats, as on the real one. */
  let lastId = 0;
  let lastUpdate = 1_000;
  const look = () => {
    for (const watcher of watchers) watcher();
  };
  const refuse = (code: number, description: string): Reply => ({ ok: false, code, description });
  const done = (result: unknown): Reply => ({ ok: true, result });
  const textFault = (text: unknown): Reply | undefined => {
    if (typeof text !== 'string' || text.trim() === '') return refuse(400, 'Bad Request: message text is empty');
    return text.length > LONGEST_TEXT ? refuse(400, 'Bad Request: message is too long') : undefined;
  };

  async function getUpdates({ offset = 0, timeout = 0 }: Readonly<Record<string, number>>, gone: AbortSignal): Promise<Reply> {
    if (webhook.url) return refuse(409, "Conflict: can't use getUpdates method while webhook is active");
    while (updates.length > 0 && updates[0]!.update_id < offset) updates.shift();
    look();
    if (updates.length === 0 && timeout > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeout * 1_000);
        const wake = () => {
          clearTimeout(timer);
          waiting.delete(wake);
          resolve();
        };
        waiting.add(wake);
        gone.addEventListener('abort', wake);
      });
    }
    return done(updates.filter(({ update_id: id }) => id >= offset).slice(0, 100));
  }

  function sendMessage({ chat_id: chat, text }: Readonly<Record<string, unknown>>): Reply {
    const fault = textFault(text);
    if (fault) return fault;
    lastId++;
    messages.push({ chat: Number(chat), id: lastId, text: String(text), texts: [String(text)] });
    return done({ message_id: lastId, date: 0, chat: { id: chat, type: 'private' }, text });
  }

  function editMessageText({ chat_id: chat, message_id: id, text }: Readonly<Record<string, unknown>>): Reply {
    const message = messages.find((known) => known.id === id && known.chat === chat);
    if (message === undefined) return refuse(400, 'Bad Request: message to edit not found');
    const fault = textFault(text);
    if (fault) return fault;
    if (message.text === text) return refuse(400, 'Bad Request: message is not modified: specified new message content is the same');
    message.text = String(text);
    message.texts.push(message.text);
    return done({ message_id: id, date: 0, chat: { id: chat, type: 'private' }, text });
  }

  function getFile({ file_id: id }: Readonly<Record<string, unknown>>): Reply {
    const bytes = files.get(String(id));
    if (bytes === undefined) return refuse(400, 'Bad Request: wrong file_id or the file is temporarily unavailable');
    if (bytes.length > LARGEST_FILE_BYTES) return refuse(400, 'Bad Request: file is too big');
    return done({ file_id: id, file_unique_id: id, file_size: bytes.length, file_path: `media/${id}` });
  }

  async function answer({ method, body }: Call, gone: AbortSignal): Promise<Reply> {
    switch (method) {
      case 'getMe':
        return done(BOT);
      case 'getUpdates':
        return getUpdates(body as Record<string, number>, gone);
      case 'sendMessage':
        return sendMessage(body);
      case 'editMessageText':
        return editMessageText(body);
      case 'getFile':
        return getFile(body);
      case 'sendChatAction':
        return done(true);
      case 'deleteWebhook':
        webhook.url = undefined;
        return done(true);
      case 'setWebhook':
        Object.assign(webhook, { url: body.url, secret: body.secret_token });
        return done(true);
      default:
        return refuse(404, 'Not Found: method not found');
    }
  }

  const server = createServer((request, response) => {
    void serve(request, response);
  });
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, bot, method = ''] = (request.url ?? '').split('/');
    if (bot === 'file') return sendFile(request, response);
    const text = await bodyOf(request);
    const call = { method, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) };
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    calls.push(call);
    const fault = api.fault?.(call);
    if (fault?.kind === 'cut-before') return void request.socket.destroy();
    const reply =
      bot !== `bot${token}`
        ? refuse(401, 'Unauthorized')
        : fault?.kind === 'error'
          ? refuse(fault.code, fault.description)
          : await answer(call, gone.signal);
    if (fault?.kind === 'cut-after') request.socket.destroy();
    else write(response, reply, fault?.kind === 'error' ? fault.retryAfter : undefined);
    look();
  }
  function sendFile({ url = '', socket }: IncomingMessage, response: ServerResponse): void {
    const [, , bot, , id = ''] = url.split('/');
    const call = { method: 'file', body: { id } };
    calls.push(call);
    const fault = api.fault?.(call);
    const bytes = bot === `bot${token}` ? files.get(id) : undefined;
    if (fault !== undefined && fault.kind !== 'error') socket.destroy();
    else if (fault !== undefined || bytes === undefined) response.writeHead(fault?.code ?? 404).end();
    else response.end(bytes);
    look();
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  function said(user: number, what: Readonly<Record<string, unknown>>): number {
    lastId++;
    const from = { id: user, is_bot: false, first_name: `User ${user}` };
    return api.push({ message: { message_id: lastId, date: 0, chat: { id: user, type: 'private' }, from, ...what } });
  }
  const api: FakeBotApi = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    messages,
    calls,
    webhook,
    files,
    fault: undefined,
    get pending() {
      return updates.length;
    },
    push(update) {
      const known = update.update_id as number | undefined;
      const id = known ?? ++lastUpdate;
      lastUpdate = Math.max(lastUpdate, id);
      updates.push({ ...update, update_id: id });
      updates.sort((a, b) => a.update_id - b.update_id);
      for (const wake of waiting) wake();
      return id;
    },
    say: (user, text, more) => said(user, { text, ...more }),
    sendPhoto(user, id, more) {
      const size = (file_id: string, side: number) => ({ file_id, file_unique_id: file_id, width: side, height: side / 2 });
      return said(user, {
        photo: [size('small', 320), { ...size(id, 1_280), file_size: files.get(id)?.length }, size('huge', 2_560)],
        ...more,
      });
    },
    sendDocument: (user, document, more) => said(user, { document: { file_unique_id: document.file_id, ...document }, ...more }),
    remove(id) {
      const at = messages.findIndex((message) => message.id === id);
      if (at >= 0) messages.splice(at, 1);
    },
    until: (test) =>
      new Promise((resolve) => {
        const watcher = () => {
          if (!test()) return;
          watchers.delete(watcher);
          resolve();
        };
        watchers.add(watcher);
        watcher();
      }),
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return api;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function write(response: ServerResponse, reply: Reply, retryAfter: number | undefined): void {
  if (response.destroyed) return;
  const status = reply.ok ? 200 : reply.code;
  const parameters = retryAfter === undefined ? {} : { parameters: { retry_after: retryAfter } };
  const body = reply.ok ? reply : { ok: false, error_code: reply.code, description: reply.description, ...parameters };
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
