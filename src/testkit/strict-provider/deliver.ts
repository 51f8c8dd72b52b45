// Writes a reply to a socket: with backpressure, through the gate, by the clock, and as badly as the faults ask.
import type { ServerResponse } from 'node:http';
import type { Clock } from '../../ports/clock.ts';
import type { Gate, HoldPoint } from './gate.ts';
import { eventText, type Reply } from './reply.ts';
import type { OpenRequest } from './request.ts';
import type { Response } from './respond.ts';

/** What a delivery needs. */
export interface Delivery {
  readonly clock: Clock;
  readonly gate: Gate;
  readonly request: OpenRequest;
  readonly socket: ServerResponse;
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
  /** Told when a wait by the clock begins. */
  readonly onWait: () => void;
}

/** Sends a reply. Resolves when all is written, when it was cut, or when the client has gone. */
export async function deliver({ reply, faults }: Response, delivery: Delivery): Promise<void> {
  const { request, socket, signal } = delivery;
  const { slow } = faults;
  await pause('headers', slow?.headersMs, delivery);
  if (signal.aborted) return;
  if (faults.reset !== undefined) {
    request.end = 'cut';
    socket.destroy();
    return;
  }
  request.status = reply.status;
  const isBare = faults.empty?.what === 'body';
  const length = reply.body === undefined || isBare ? {} : { 'content-length': String(Buffer.byteLength(reply.body)) };
  socket.writeHead(reply.status, { ...reply.headers, ...length });
  socket.flushHeaders();
  await pause('first-byte', slow?.firstByteMs, delivery);
  const pieces = piecesOf(reply, faults.empty?.what);
  const stop = faults.cut === undefined ? pieces.length : (faults.cut.afterEvents ?? Math.floor(pieces.length / 2));
  for (const [at, piece] of pieces.slice(0, stop).entries()) {
    if (at > 0) await pause('events', slow?.eventMs, delivery);
    if (signal.aborted) return;
    await write(piece, delivery);
  }
  if (signal.aborted) return;
  const isReset = faults.cut !== undefined && (faults.cut.how !== 'end' || reply.events === undefined);
  request.end = faults.cut === undefined ? 'sent' : 'cut';
  if (isReset) socket.destroy();
  else socket.end();
}

/** A whole body has two pieces, so that it can be cut. */
function piecesOf(reply: Reply, empty: 'answer' | 'stream' | 'body' | undefined): readonly (string | Buffer)[] {
  if (empty === 'body' || (empty === 'stream' && reply.events !== undefined)) return [];
  if (reply.events !== undefined) return reply.events.map(eventText);
  const bytes = Buffer.from(reply.body ?? '');
  const middle = Math.floor(bytes.length / 2);
  return bytes.length < 2 ? [bytes] : [bytes.subarray(0, middle), bytes.subarray(middle)];
}

async function pause(point: HoldPoint, ms: number | undefined, { clock, gate, signal, onWait }: Delivery): Promise<void> {
  if (ms !== undefined && ms > 0 && !signal.aborted) {
    const waiting = clock.wait(ms, signal).catch(() => undefined);
    onWait();
    await waiting;
  }
  await gate.pass(point, signal);
}

/** Resolves when the socket takes more, or has closed. */
function write(piece: string | Buffer, { socket, signal }: Delivery): Promise<void> {
  if (socket.write(piece)) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      socket.off('drain', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    socket.once('drain', done);
    signal.addEventListener('abort', done, { once: true });
  });
}
