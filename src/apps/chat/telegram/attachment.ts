// Which of a message's media are read: pictures, and documents that are text. Told by what Telegram says of them; their bytes are looked at later.
import type { Document, Message, PhotoSize } from 'grammy/types';
import type { FileRef } from '../store/rows.ts';

/** A side that models do not shrink further; a larger one would be stored and sent for nothing. */
const BEST_SIDE_PIXELS = 1_280;

const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif']);
const TEXT_TYPES =
  /^(?:text\/[\w.+-]+|application\/(?:(?:[\w.-]+\+)?(?:json|xml|yaml|toml)|x-(?:yaml|sh|ndjson|subrip|httpd-php)|javascript|sql))$/;
/** Phones send these under types of their own. */
const TEXT_NAMES =
  /\.(?:txt|md|markdown|csv|tsv|log|json|jsonl|ya?ml|toml|xml|html?|css|ini|conf|cfg|env|sql|sh|py|js|ts|tsx|jsx|go|rs|rb|java|kt|c|h|cc|cpp|hpp|cs|php|pl|lua|swift|r|tex|srt|vtt|diff|patch|gpx)$/i;

/** undefined: nothing of it is read. */
export function attachmentOf({ photo, document, animation }: Message): FileRef | undefined {
  if (photo !== undefined && photo.length > 0) return photoOf(photo);
  // A moving picture comes as a document, too: it is a film.
  return document === undefined || animation !== undefined ? undefined : documentOf(document);
}

function photoOf(sizes: readonly PhotoSize[]): FileRef {
  const bySide = sizes.toSorted((a, b) => sideOf(a) - sideOf(b));
  const best = bySide.findLast((size) => sideOf(size) <= BEST_SIDE_PIXELS) ?? bySide[0]!;
  return { kind: 'image', id: best.file_id, name: 'photo', sizeBytes: best.file_size };
}

const sideOf = ({ width, height }: PhotoSize): number => Math.max(width, height);

const LONGEST_NAME_CHARS = 120;

function documentOf({ file_id: id, file_name = 'file', mime_type: type = '', file_size: sizeBytes }: Document): FileRef | undefined {
  const name = file_name
    .replaceAll(/\p{Cc}/gu, ' ')
    .slice(-LONGEST_NAME_CHARS)
    .toWellFormed();
  if (IMAGE_TYPES.has(type)) return { kind: 'image', id, name: 'image', sizeBytes };
  return TEXT_TYPES.test(type) || TEXT_NAMES.test(name) ? { kind: 'text', id, name, sizeBytes } : undefined;
}
