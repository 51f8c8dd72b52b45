// Watches a body that is read elsewhere, by the bytes of its connection.
import type { IncomingMessage } from 'node:http';

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Tells once when nothing came for so long and the body is not complete. Answers how to stop. */
export function watchUpload(request: IncomingMessage, idleMs: number, onIdle: () => void): () => void {
  let seenBytes = -1;
  const timer = setInterval(() => {
    const { bytesRead } = request.socket;
    const isIdle = bytesRead === seenBytes;
    if (request.complete || isIdle) clearInterval(timer);
    if (!request.complete && isIdle) onIdle();
    seenBytes = bytesRead;
  }, idleMs);
  return () => clearInterval(timer);
}
