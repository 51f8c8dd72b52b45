// An MCP server as a process, spoken to by lines on its standard streams. The SDK's own transport takes time quadratic in the length of a line;
// here a result of any size is read once.
import { type ChildProcess, spawn } from 'node:child_process';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

export interface ServerProcess {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A server that writes more in one line is ended. */
const LONGEST_LINE_BYTES = 256_000_000;
/** How long a server may take to end by itself, milliseconds. */
const ENDING_MS = 2_000;
const NEWLINE = 10;

export class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #server: ServerProcess;
  #child: ChildProcess | undefined;
  #held: Buffer[] = [];
  #heldBytes = 0;

  constructor(server: ServerProcess) {
    this.#server = server;
  }

  start(): Promise<void> {
    const { command, args, cwd, env } = this.#server;
    return new Promise((resolve, reject) => {
      const child = spawn(command, [...args], { cwd, env, stdio: ['pipe', 'pipe', 'ignore'], windowsHide: true });
      this.#child = child;
      child.once('spawn', resolve);
      child.on('error', (error) => {
        reject(error);
        this.onerror?.(error);
      });
      child.once('close', () => {
        this.#child = undefined;
        this.onclose?.();
      });
      child.stdin.on('error', (error) => this.onerror?.(error));
      child.stdout.on('data', (chunk: Buffer) => this.#take(chunk));
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      const stdin = this.#child?.stdin;
      if (!stdin) return reject(new Error('The server has ended.'));
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.stdin?.end();
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), ENDING_MS);
    if (child.exitCode === null && child.signalCode === null) await ended;
    clearTimeout(timer);
    // A process that it has started may hold its output open for ever.
    child.stdout?.destroy();
  }

  #take(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      this.#hold(chunk.subarray(from, at));
      from = at + 1;
      this.#endLine();
    }
    this.#hold(chunk.subarray(from));
    if (this.#heldBytes > LONGEST_LINE_BYTES) this.#child?.kill('SIGKILL');
  }

  #hold(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#held.push(piece);
    this.#heldBytes += piece.length;
  }

  #endLine(): void {
    const line = Buffer.concat(this.#held).toString('utf8').trim();
    this.#held = [];
    this.#heldBytes = 0;
    if (line === '') return;
    try {
      this.onmessage?.(JSON.parse(line) as JSONRPCMessage);
    } catch (error) {
      // A server that prints something else than messages is told of, and listened to.
      this.onerror?.(error as Error);
    }
  }
}
