// A transcript as labelled plain text for a summarizer: redacted, delimiter-safe, long results shortened head and tail, in chunks that fit.
import { capHeadTail, headOf, omission, tailOf } from '../plan/cap.ts';
import { estimateTokens } from '../size/estimator.ts';
import type { Entry, MediaPart, Part } from '../transcript/entry.ts';
import { genuineText } from '../transcript/genuine.ts';
import { escapeDelimiters } from './frame.ts';
import { redactSecrets } from './redact.ts';

const OPENING = '<ullage-transcript>';
const CLOSING = '</ullage-transcript>';
const FRAME_TOKENS = 24;

/** Characters that are shown of each kind of content at full scale. */
const SHOWN_CHARS = { text: 4_000_000, result: 3_000, call: 1_500, thinking: 800 } as const;
const SMALLEST_SHOWN_CHARS = 80;
const SMALLEST_SCALE = 1 / 256;
const HEAD_SHARE = 0.6;

type ContentKind = keyof typeof SHOWN_CHARS;

/** One labelled piece, redacted and escaped, not yet shortened. */
interface Block {
  readonly label: string;
  readonly kind: ContentKind;
  readonly text: string;
}

const LABEL_START = /^\[#/gm;

/** Redacted before it is shortened, so that no cut hides a secret from its pattern; a forged label is indented. */
function clean(text: string): string {
  return escapeDelimiters(redactSecrets(text)).replace(LABEL_START, ' [#').trim();
}

const LONGEST_NAME_CHARS = 100;

/** A tool's name as it may stand in a label. */
function nameOf(tool: string): string {
  return clean(headOf(tool, LONGEST_NAME_CHARS)).replace(/\s+/g, ' ');
}

/** A label and what it names; looked at again after all cuts, which make new beginnings of lines. */
function labelled(label: string, text: string): string {
  return `${label}\n${text.replace(LABEL_START, ' [#')}`;
}

function blockOf(part: Part, entry: Entry, toolNames: Map<string, string>): Block | undefined {
  const { position, message } = entry;
  const label = (what: string): string => `[#${position} ${what}]`;
  switch (part.kind) {
    case 'text': {
      const text = message.role === 'user' ? genuineText(part.text) : part.text;
      return { label: label(message.role), kind: 'text', text: clean(text) };
    }
    case 'thinking':
      return { label: label('assistant, thinking'), kind: 'thinking', text: clean(part.text) };
    case 'call':
      toolNames.set(part.id.trim(), part.name);
      return { label: label(`call of ${nameOf(part.name)}`), kind: 'call', text: clean(part.argumentsText) };
    case 'result': {
      const name = toolNames.get(part.callId.trim());
      const source = name === undefined ? 'result' : `result of ${nameOf(name)}`;
      const shown = [clean(part.text), ...part.media.map(caption)].filter((piece) => piece !== '');
      const text = shown.join('\n') || '(empty)';
      return { label: label(part.isError ? `${source}, error` : source), kind: 'result', text };
    }
    case 'media':
      return { label: label(message.role), kind: 'text', text: caption(part) };
    case 'opaque':
      return undefined;
  }
}

/** What stands in place of an image, a file or a sound: nothing of it is sent to a summarizer. */
function caption({ mediaKind, widthPx, heightPx, sizeBytes }: MediaPart): string {
  const size = widthPx === undefined || heightPx === undefined ? `${Math.ceil(sizeBytes / 1_000)} kB` : `${widthPx} × ${heightPx} pixels`;
  return `(${mediaKind}, ${size}, not shown here)`;
}

function blocksOf(entries: readonly Entry[]): readonly Block[] {
  const toolNames = new Map<string, string>();
  return entries.flatMap((entry) => {
    const blocks = entry.message.parts.map((part) => blockOf(part, entry, toolNames));
    return blocks.filter((block): block is Block => block !== undefined && block.text !== '');
  });
}

function shorten(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const head = headOf(text, Math.floor(chars * HEAD_SHARE));
  const tail = tailOf(text, chars - head.length);
  return `${head}\n${omission(text.length - head.length - tail.length)}\n${tail}`;
}

/** The content as far as it is shown. */
function shown(block: Block, scale: number): string {
  return shorten(block.text, Math.max(SMALLEST_SHOWN_CHARS, Math.floor(SHOWN_CHARS[block.kind] * scale)));
}

const wrap = (text: string): string => `${OPENING}\n${text}\n${CLOSING}`;

/** A space this near to the end of a piece is where it is cut, as a share of the piece. */
const SPACE_REACH = 0.1;

function headAtSpace(text: string, chars: number): string {
  const head = headOf(text, chars);
  const space = head.length === text.length ? -1 : head.lastIndexOf(' ');
  return space >= head.length * (1 - SPACE_REACH) ? head.slice(0, space + 1) : head;
}

/** A block that is too large for a chunk, in pieces that are not. Only texts are cut into pieces; everything else is shortened. */
function piecesOf(block: Block, roomTokens: number, scale: number): readonly string[] {
  const { label, kind } = block;
  const text = shown(block, scale);
  const whole = labelled(label, text);
  if (estimateTokens(whole) <= roomTokens) return [whole];
  const room = roomTokens - estimateTokens(label) - PART_TOKENS;
  if (kind !== 'text') return [labelled(label, capHeadTail(text, room, omission))];
  return cutToFit(text, room).map((piece, index) => labelled(`${label}, part ${index + 1}`, piece));
}

/** What a number of a part and a cut add, tokens. */
const PART_TOKENS = 8;
/** Share of the room that a piece is aimed at: tokens are not spread evenly over a text. */
const PIECE_FILL = 0.7;

/** All of the text, in pieces of at most `roomTokens`: those that are over are cut again. */
function cutToFit(text: string, roomTokens: number): readonly string[] {
  const tokens = estimateTokens(text);
  if (tokens <= roomTokens || text.length <= 2) return [text];
  const chars = Math.ceil(text.length / Math.ceil(tokens / (roomTokens * PIECE_FILL)));
  const pieces: string[] = [];
  for (let rest = text; rest !== ''; rest = rest.slice(pieces.at(-1)!.length)) pieces.push(headAtSpace(rest, chars) || rest.slice(0, 2));
  return pieces.flatMap((piece) => cutToFit(piece, roomTokens));
}

const SMALLEST_CHUNK_TOKENS = 100;

/** How chunks are cut. */
export interface Chunking {
  /** Most tokens of one chunk. */
  readonly chunkTokens: number;
  /** Contents are shortened until there are no more than so many. Default: as many as it takes. */
  readonly mostChunks?: number;
}

/**
 * The entries as texts of at most `chunkTokens` each, in order, each between delimiters. Every message stands in one of them; what users and the
 * agent said stands there whole, unless that takes more than `mostChunks`.
 */
export function chunkTranscript(entries: readonly Entry[], { chunkTokens, mostChunks }: Chunking): readonly string[] {
  const room = Math.max(SMALLEST_CHUNK_TOKENS, Math.floor(chunkTokens)) - FRAME_TOKENS;
  const blocks = blocksOf(entries);
  const most = mostChunks ?? Number.POSITIVE_INFINITY;
  let chunks: readonly string[] = [];
  for (let scale = 1; scale >= SMALLEST_SCALE; scale /= 2) {
    chunks = chunksOf(blocks, room, scale);
    if (chunks.length <= most) break;
  }
  return chunks;
}

function chunksOf(blocks: readonly Block[], room: number, scale: number): readonly string[] {
  const chunks: string[] = [];
  let pieces: string[] = [];
  let used = 0;
  const flush = (): void => {
    if (pieces.length > 0) chunks.push(wrap(pieces.join('\n\n')));
    pieces = [];
    used = 0;
  };
  for (const block of blocks) {
    for (const piece of piecesOf(block, room, scale)) {
      const tokens = estimateTokens(piece) + 1;
      if (used + tokens > room) flush();
      pieces.push(piece);
      used += tokens;
    }
  }
  flush();
  return chunks;
}
