// Watches a body that is read elsewhere, by the bytes of its connection.
import type { IncomingMessage } from 'node:http';

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Tells once when nothing came for so long and the body is not complete. Answers how to stop. */
export function watchUpload(request: IncomingMessage, idleMs: number, onIdle: () => void): () => void {
  // The request lets go of it when its body was read.
  const { socket } = request;
  let seenBytes = -1;
  const timer = setInterval(() => {
    const isIdle = socket.bytesRead === seenBytes;
    seenBytes = socket.bytesRead;
    if (request.complete || isIdle) clearInterval(timer);
    if (!request.complete && isIdle) onIdle();
  }, idleMs);
  return () => clearInterval(timer);
}
