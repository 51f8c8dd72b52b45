// Pixel size of an image from the first bytes of its base64 data: PNG, GIF, WebP, JPEG. Pure; looks at a bounded prefix only.

/** Width and height in pixels. */
export interface PixelSize {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Enough for the headers of PNG, GIF and WebP (30 bytes). */
const HEADER_CHARS = 40;
/** A JPEG may carry an EXIF block of up to 64 KiB before its size. */
const JPEG_CHARS = 96 * 1024;

/** The longest `data:…;base64,` in front of the data that is looked for. */
const DATA_URL_CHARS = 256;

/** The pixel size told by base64 data or a data URL, or undefined. The text may still hold JSON escapes. */
export function imagePixelSize(data: string): PixelSize | undefined {
  const comma = data.startsWith('data:') ? data.slice(0, DATA_URL_CHARS).indexOf(',') : -1;
  const base64 = data.slice(comma + 1);
  const header = decodePrefix(base64, HEADER_CHARS);
  if (header.length < 10) return undefined;
  if (header.startsWith('\x89PNG\r\n\x1a\n')) return sized(bigEndian(header, 16, 4), bigEndian(header, 20, 4));
  if (header.startsWith('GIF8')) return sized(littleEndian(header, 6, 2), littleEndian(header, 8, 2));
  if (header.startsWith('RIFF') && header.startsWith('WEBP', 8)) return webpSize(header);
  if (header.startsWith('\xff\xd8')) return jpegSize(decodePrefix(base64, JPEG_CHARS));
  return undefined;
}

/** The first bytes as a binary string; '' when the data is not base64. */
function decodePrefix(base64: string, chars: number): string {
  const clean = base64.slice(0, chars).replace(/\\\/|\\n|\\r|\s/g, (found) => (found === '\\/' ? '/' : ''));
  try {
    return atob(clean.slice(0, clean.length - (clean.length % 4)));
  } catch {
    return '';
  }
}

function sized(widthPx: number, heightPx: number): PixelSize | undefined {
  return widthPx > 0 && heightPx > 0 ? { widthPx, heightPx } : undefined;
}

function bigEndian(bytes: string, offset: number, length: number): number {
  let value = 0;
  for (let index = offset; index < offset + length; index += 1) value = value * 256 + bytes.charCodeAt(index);
  return value;
}

function littleEndian(bytes: string, offset: number, length: number): number {
  let value = 0;
  for (let index = offset + length - 1; index >= offset; index -= 1) value = value * 256 + bytes.charCodeAt(index);
  return value;
}

/** The three WebP layouts: lossy (14-bit sizes), lossless (14 bits each, less one), extended (24 bits each, less one). */
function webpSize(header: string): PixelSize | undefined {
  const layout = header.slice(12, 16);
  if (layout === 'VP8 ') return sized(littleEndian(header, 26, 2) & 0x3fff, littleEndian(header, 28, 2) & 0x3fff);
  if (layout === 'VP8X') return sized(littleEndian(header, 24, 3) + 1, littleEndian(header, 27, 3) + 1);
  if (layout !== 'VP8L') return undefined;
  const bits = littleEndian(header, 21, 4);
  return sized((bits & 0x3fff) + 1, (Math.floor(bits / 0x4000) & 0x3fff) + 1);
}

/** Walks the segments up to the first start-of-frame marker. */
function jpegSize(bytes: string): PixelSize | undefined {
  let offset = 2;
  while (offset + 9 < bytes.length && bytes.charCodeAt(offset) === 0xff) {
    const marker = bytes.charCodeAt(offset + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return sized(bigEndian(bytes, offset + 7, 2), bigEndian(bytes, offset + 5, 2));
    offset += marker === 0xff ? 1 : 2 + bigEndian(bytes, offset + 2, 2);
  }
  return undefined;
}
