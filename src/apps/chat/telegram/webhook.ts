// Webhook: Telegram brings updates. Its secret is checked first; it is told "done" when they are stored.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Bot as GrammyBot, webhookCallback } from 'grammy';
import { UllageError } from '../../../index.ts';
import type { Webhook } from '../config/schema.ts';
import { type Storing, storeUpdates } from './store-updates.ts';

/** Larger than any update. */
const LONGEST_BODY_BYTES = 2_000_000;

export interface WebhookOptions extends Storing {
  readonly config: Webhook;
  readonly secret: string;
  readonly grammyBot: GrammyBot;
  readonly webhookCallback: typeof webhookCallback;
}

/** Listens; resolves with the port. Throws option_invalid when it cannot be had. */
export async function listenForWebhook(options: WebhookOptions): Promise<{ readonly port: number; close(): Promise<void> }> {
  const { config, secret, chat, grammyBot: bot } = options;
  bot.use(async ({ update }) => storeUpdates(options, [update]));
  const handle = options.webhookCallback(bot, 'http', { secretToken: secret });
  const path = new URL(config.url).pathname;
  const server = createServer((request, response) => {
    if (!isTaken(request, path)) return refuse(request, response);
    handle(request, response).catch((error: unknown) => {
      // Telegram brings it again.
      chat.log.write('error', 'An update could not be stored.', { error: chat.secrets.redact(String(error)) });
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  await listen(server, config);
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function isTaken({ method, url = '', headers }: IncomingMessage, path: string): boolean {
  const length = Number(headers['content-length']);
  return method === 'POST' && url.split('?', 1)[0] === path && length >= 0 && length <= LONGEST_BODY_BYTES;
}

function refuse(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  response.writeHead(404).end();
}

function listen(server: Server, { port, host }: Webhook): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      reject(new UllageError('option_invalid', `telegram.webhook: ${host}:${port} cannot be listened on (${cause.code}).`, { cause }));
    });
    server.listen(port, host, resolve);
  });
}
