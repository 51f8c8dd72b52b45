// Writes a reply to a socket: with backpressure, through the gate, by the clock, and as badly as the faults ask.
import type { ServerResponse } from 'node:http';
import type { Clock } from '../../ports/clock.ts';
import type { Gate, HoldPoint } from './gate.ts';
import { eventText, type Reply } from './reply.ts';
import type { OpenRequest } from './request.ts';
import type { Response } from './respond.ts';
import type { Faults } from './script.ts';

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
  const { gate, request, socket, signal } = delivery;
  const { slow } = faults;
  await pause('headers', slow?.headersMs, delivery);
  if (signal.aborted) return;
  if (faults.reset !== undefined) {
    request.end = 'cut';
    socket.socket?.resetAndDestroy();
    return;
  }
  request.status = reply.status;
  const isBare = faults.empty?.what === 'body';
  const length = reply.body === undefined || isBare ? {} : { 'content-length': String(Buffer.byteLength(reply.body)) };
  socket.writeHead(reply.status, { ...reply.headers, ...length });
  if (reply.events !== undefined || slow?.firstByteMs !== undefined || gate.holds('first-byte')) socket.flushHeaders();
  await pause('first-byte', slow?.firstByteMs, delivery);
  const pieces = piecesOf(reply, faults);
  const stop = faults.cut === undefined ? pieces.length : (faults.cut.afterEvents ?? Math.floor(pieces.length / 2));
  for (const [at, piece] of pieces.slice(0, stop).entries()) {
    if (at > 0) await pause('events', slow?.eventMs, delivery);
    if (signal.aborted) return;
    await write(piece, delivery);
  }
  if (signal.aborted) return;
  const isClosed = faults.cut !== undefined && (faults.cut.how !== 'end' || reply.events === undefined);
  request.end = faults.cut === undefined ? 'sent' : 'cut';
  if (isClosed) socket.destroy();
  else socket.end();
}

/** A whole body that is to be cut has two pieces. */
function piecesOf(reply: Reply, { empty, cut }: Faults): readonly (string | Buffer)[] {
  if (empty?.what === 'body' || (empty?.what === 'stream' && reply.events !== undefined)) return [];
  if (reply.events !== undefined) return reply.events.map(eventText);
  const bytes = Buffer.from(reply.body ?? '');
  const middle = Math.floor(bytes.length / 2);
  return cut === undefined ? [bytes] : [bytes.subarray(0, middle), bytes.subarray(middle)];
}

async function pause(point: HoldPoint, ms: number | undefined, { clock, gate, signal, onWait }: Delivery): Promise<void> {
  if (ms !== undefined && ms > 0 && !signal.aborted) {
    const waiting = clock.wait(ms, signal).catch(() => undefined);
    onWait();
    await waiting;
  }
  await gate.pass(point, signal);
}

/** Resolves when the piece has left, or the connection has closed: a cut comes after what was sent, and a slow reader holds up the rest. */
function write(piece: string | Buffer, { socket, signal }: Delivery): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      signal.removeEventListener('abort', done);
      resolve();
    };
    signal.addEventListener('abort', done, { once: true });
    socket.write(piece, done);
  });
}
