// Reads a request's body within its limits: size, pauses, and how many large ones there are at once.
import type { IncomingMessage } from 'node:http';
import { GatewayFault } from '../fault.ts';
import type { GatewayLimits } from '../options.ts';
import type { Slots } from './slots.ts';
import { tooSlow } from './too-slow.ts';

export interface BodyLimits extends Pick<GatewayLimits, 'maxBodyBytes' | 'largeBodyBytes' | 'requestIdleMs'> {
  /** Places of large bodies. */
  readonly slots: Slots;
}

export interface ReadBody {
  readonly bytes: Uint8Array;
  /** Gives the place of a large body back. */
  readonly release: () => void;
}

/** Throws GatewayFault for a body that is too large or too slow, and what the connection says when the client left. */
export async function readBody(request: IncomingMessage, limits: BodyLimits, signal: AbortSignal): Promise<ReadBody> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > limits.maxBodyBytes) throw tooLarge(limits);
  let place: Promise<() => void> | undefined;
  const needPlace = () => (place ??= limits.slots.take(signal));
  try {
    if (announced > limits.largeBodyBytes) await needPlace();
    const bytes = await collect(request, limits, needPlace);
    return { bytes, release: (await place) ?? (() => {}) };
  } catch (error) {
    (await place?.catch(() => undefined))?.();
    throw error;
  }
}

function collect(request: IncomingMessage, limits: BodyLimits, needPlace: () => Promise<unknown>): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    let isLarge = false;
    let isOver = false;
    const settle = (finish: () => void) => {
      isOver = true;
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
      finish();
    };
    const fail = (error: unknown) => settle(() => reject(error));
    const startTimer = () => setTimeout(() => fail(tooSlow(limits.requestIdleMs)), limits.requestIdleMs);
    let timer = startTimer();
    const onData = (chunk: Buffer) => {
      timer.refresh();
      sizeBytes += chunk.byteLength;
      chunks.push(chunk);
      if (sizeBytes > limits.maxBodyBytes) fail(tooLarge(limits));
      else if (sizeBytes > limits.largeBodyBytes && !isLarge) {
        isLarge = true;
        request.pause();
        // The client does not pause: we do.
        clearTimeout(timer);
        needPlace().then(() => {
          if (isOver) return;
          timer = startTimer();
          request.resume();
        }, fail);
      }
    };
    const onEnd = () => settle(() => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, sizeBytes)));
    const onError = fail;
    const onClose = () => fail(new Error('The client closed the connection inside its request.'));
    request.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
  });
}

function tooLarge({ maxBodyBytes }: BodyLimits): GatewayFault {
  return new GatewayFault('body_too_large', {
    status: 413,
    message: `the body is larger than ${Math.round(maxBodyBytes / 1024 / 1024)} MB, the limit of this gateway.`,
    hint: 'Send images and files by reference, or in fewer requests.',
  });
}
