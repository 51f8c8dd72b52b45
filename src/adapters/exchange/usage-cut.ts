// Keeps the usage chunk that we asked for from a caller that did not. All other bytes pass as they come.
import { EventReader, StreamItem } from './stream-items.ts';

const LF = 0x0a;
const CR = 0x0d;

/** No usage chunk is longer. */
const HELD_LIMIT_BYTES = 64 * 1024;

/**
 * Until an answer has its finish reason, chunks pass untouched. From then on an event is passed when it is whole: the next one may be the usage
 * chunk, and half of it would be one half too many.
 */
export class UsageCut {
  private readonly reader = new EventReader();
  /** The event that is not whole yet, in the pieces it came in, kept back. */
  private held: Uint8Array[] = [];
  private heldBytes = 0;
  /** The event that is not whole yet has been passed in part. */
  private isPartPassed = false;
  private isEnding = false;
  /** What became of an event that ended with a CR: an LF at the beginning of the next chunk belongs to it. */
  private lastCr: 'passed' | 'hidden' | undefined;
  private readonly boundary = new BoundaryFinder();

  take(bytes: Uint8Array): StreamItem {
    const events: unknown[] = [];
    const passed: Uint8Array[] = [];
    let start = this.lastCr !== undefined && bytes[0] === LF ? 1 : 0;
    if (start === 1 && this.lastCr === 'passed') passed.push(bytes.subarray(0, 1));
    this.lastCr = undefined;
    for (const end of this.boundary.ends(bytes)) {
      this.wholeEvent(bytes.subarray(start, end), { events, passed });
      start = end;
    }
    if (start < bytes.length) this.partOfEvent(bytes.subarray(start), { events, passed });
    return new StreamItem(joined(passed, bytes), events);
  }

  /** The stream ended, maybe inside an event: what there is of it is the caller's. */
  end(): StreamItem {
    const events = this.reader.end();
    const held = this.takeHeld();
    return new StreamItem(!this.isPartPassed && events.some(isUsageChunk) ? held.subarray(held.length) : held, events);
  }

  /** What is kept back, which is then no more. */
  takeHeld(): Uint8Array {
    const held = Buffer.concat(this.held, this.heldBytes);
    this.held = [];
    this.heldBytes = 0;
    return held;
  }

  private wholeEvent(piece: Uint8Array, out: Out): void {
    const events = this.reader.read(piece, true);
    out.events.push(...events);
    this.isEnding ||= events.some(hasFinish);
    const isHidden = !this.isPartPassed && events.some(isUsageChunk);
    this.lastCr = piece.at(-1) !== CR ? undefined : isHidden ? 'hidden' : 'passed';
    const held = this.takeHeld();
    if (!isHidden) out.passed.push(held, piece);
    this.isPartPassed = false;
  }

  private partOfEvent(piece: Uint8Array, out: Out): void {
    out.events.push(...this.reader.read(piece));
    if (this.isEnding && !this.isPartPassed && this.heldBytes + piece.length <= HELD_LIMIT_BYTES) {
      this.held.push(piece);
      this.heldBytes += piece.length;
      return;
    }
    out.passed.push(this.takeHeld(), piece);
    this.isPartPassed = true;
  }
}

interface Out {
  readonly events: unknown[];
  readonly passed: Uint8Array[];
}

/** The chunk itself when nothing of it is missing. */
function joined(passed: readonly Uint8Array[], whole: Uint8Array): Uint8Array {
  const pieces = passed.filter((piece) => piece.length > 0);
  const sizeBytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const isWhole = sizeBytes === whole.length && pieces[0]?.buffer === whole.buffer && pieces[0].byteOffset === whole.byteOffset;
  if (isWhole) return whole;
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, sizeBytes);
}

/** Finds the offsets behind the blank lines that end events, whichever line ends are used, also across chunks. */
class BoundaryFinder {
  private isLineEmpty = true;
  /** Something stands in the event: a blank line before it ends nothing. */
  private hasLines = false;
  private wasCr = false;
  /** The blank line's CR has its LF in the same chunk: the event ends behind it. */
  private isOwed = false;

  *ends(bytes: Uint8Array): Generator<number> {
    for (let index = 0; index < bytes.length; index++) {
      const byte = bytes[index];
      if (byte !== LF && byte !== CR) {
        index = this.skipLine(bytes, index);
        continue;
      }
      const isSecondHalf = byte === LF && this.wasCr;
      this.wasCr = byte === CR;
      if (isSecondHalf) {
        if (this.isOwed) yield index + 1;
        this.isOwed = false;
        continue;
      }
      const isEnd = this.isLineEmpty && this.hasLines;
      this.isLineEmpty = true;
      if (!isEnd) continue;
      this.hasLines = false;
      this.isOwed = byte === CR && bytes[index + 1] === LF;
      if (!this.isOwed) yield index + 1;
    }
  }

  /** Index of the last byte of the line's text. */
  private skipLine(bytes: Uint8Array, from: number): number {
    this.isLineEmpty = false;
    this.hasLines = true;
    this.wasCr = false;
    let end = from + 1;
    while (end < bytes.length && bytes[end] !== LF && bytes[end] !== CR) end++;
    return end - 1;
  }
}

/** `choices: []` with usage: the chunk that `stream_options.include_usage` adds. */
function isUsageChunk(event: unknown): boolean {
  if (typeof event !== 'object' || event === null) return false;
  const { choices, usage } = event as { choices?: unknown; usage?: unknown };
  return Array.isArray(choices) && choices.length === 0 && typeof usage === 'object' && usage !== null;
}

function hasFinish(event: unknown): boolean {
  const choices = typeof event === 'object' && event !== null ? (event as { choices?: unknown }).choices : undefined;
  if (!Array.isArray(choices)) return false;
  return choices.some((choice: unknown) => {
    const reason = typeof choice === 'object' && choice !== null ? (choice as { finish_reason?: unknown }).finish_reason : undefined;
    return typeof reason === 'string';
  });
}
