// The connection to an MCP server over its deaths: started when it is needed, given up when it shows no sign of life, and not started over and over
// when it never stays.
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { orAborted } from '../or-aborted.ts';

/** Starts in a row, each without one answer to a call, after which the server rests. */
const MOST_STARTS = 3;
const REST_MS = 60_000;
/** A server that works on something long still answers this. */
const SIGN_OF_LIFE_MS = 5_000;

export interface KeptClientOptions {
  readonly name: string;
  readonly connect: () => Promise<Client>;
  /** Of a call, milliseconds. */
  readonly timeoutMs: number;
  /** It has ended by itself, or was given up. */
  readonly onGone: () => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** What went wrong with the server, not with what it was asked; the message is for the model. */
export class ServerGone extends Error {}

export class KeptClient {
  readonly #options: KeptClientOptions;
  /** Its process or connection, one for all sessions; undefined once it is gone. */
  #current: Promise<Client> | undefined;
  #starts = 0;
  #restsUntilMs = 0;

  constructor(options: KeptClientOptions) {
    this.#options = options;
  }

  /** What the work gives. Throws what the server answers instead, and ServerGone when it gives no answer. */
  async use<T>(signal: AbortSignal, work: (client: Client) => Promise<T>): Promise<T> {
    const client = await orAborted(this.#open(), signal);
    try {
      const result = await work(client);
      this.#noteAnswer();
      return result;
    } catch (error) {
      signal.throwIfAborted();
      if (isAnswer(error)) this.#noteAnswer();
      else await this.#checkLife(client, error);
      throw error;
    }
  }

  async close(): Promise<void> {
    const closing = await this.#current?.catch(() => undefined);
    this.#current = undefined;
    if (closing !== undefined) await end(closing);
  }

  #open(): Promise<Client> {
    this.#current ??= this.#start().catch((error: unknown) => {
      this.#current = undefined;
      throw error;
    });
    return this.#current;
  }

  async #start(): Promise<Client> {
    const { name, connect, now } = this.#options;
    const leftMs = this.#restsUntilMs - now();
    if (leftMs > 0) throw new ServerGone(`the server ${name} does not stay up; it is tried again in ${Math.ceil(leftMs / 1_000)} s`);
    this.#starts++;
    // One more try after each rest.
    if (this.#starts >= MOST_STARTS) this.#restsUntilMs = now() + REST_MS;
    const client = await connect().catch((cause: unknown) => {
      throw new ServerGone(`the server ${name} could not be started: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    });
    client.onclose = () => this.#forget();
    return client;
  }

  #noteAnswer(): void {
    this.#starts = 0;
    this.#restsUntilMs = 0;
  }

  /** A server that went away, or that does not even answer a ping, is started anew by the next call. */
  async #checkLife(client: Client, cause: unknown): Promise<void> {
    const { name, timeoutMs } = this.#options;
    const isAlive = await client.ping({ timeout: Math.min(SIGN_OF_LIFE_MS, timeoutMs) }).then(
      () => true,
      (error: unknown) => isAnswer(error),
    );
    if (isAlive) return;
    // Another call may have started it again meanwhile.
    if ((await this.#current?.catch(() => undefined)) === client) this.#forget();
    await end(client);
    throw new ServerGone(
      `the server ${name} went away or hangs; whether the call had an effect is not known. The next call starts it again`,
      {
        cause,
      },
    );
  }

  #forget(): void {
    this.#current = undefined;
    this.#options.onGone();
  }
}

async function end(client: Client): Promise<void> {
  client.onclose = undefined;
  await client.close().catch(() => {});
}

/** Codes of the SDK's own for a connection that closed and for a deadline that passed; all others are the server's words. */
const NO_ANSWER_CODES: ReadonlySet<number> = new Set([-32_000, -32_001]);

function isAnswer(error: unknown): boolean {
  const { name, code } = error as { readonly name?: string; readonly code?: unknown };
  return name === 'McpError' && typeof code === 'number' && !NO_ANSWER_CODES.has(code);
}
