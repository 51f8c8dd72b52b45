import { describe, expect, it } from 'vitest';
import { imagePixelSize } from './image-size.ts';

const base64 = (bytes: number[] | string): string => btoa(typeof bytes === 'string' ? bytes : String.fromCharCode(...bytes));
const PNG = [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 7, 128, 0, 0, 4, 56, 8, 2, 0, 0, 0];
const webp = (layout: string, rest: number[]): string => base64(`RIFF\0\0\0\0WEBP${layout}\0\0\0\0${String.fromCharCode(...rest)}\0\0\0\0`);
const frame = [0xff, 0xc2, 0, 17, 8, 0x02, 0x58, 0x03, 0x20, 3, 1, 0x22, 0];
const jpeg = (before: number[]): number[] => [0xff, 0xd8, ...before, ...frame];
const segment = (length: number): number[] => [0xff, 0xe1, length >> 8, length & 255, ...Array.from({ length: length - 2 }, () => 0)];

describe('imagePixelSize', () => {
  it.each([
    ['PNG', base64(PNG), 1920, 1080],
    ['PNG in a data URL', `data:image/png;base64,${base64(PNG)}`, 1920, 1080],
    ['PNG with escaped slashes', `data:image\\/png;base64,${base64(PNG).replaceAll('/', '\\/')}`, 1920, 1080],
    ['GIF', base64('GIF89a\x40\x01\xf0\x00\x00\x00\x00'), 320, 240],
    ['lossy WebP', webp('VP8 ', [0, 0, 0, 0x9d, 1, 0x2a, 0x40, 0x41, 0xf0, 0x80]), 320, 240],
    ['extended WebP', webp('VP8X', [0, 0, 0, 0, 0x3f, 1, 0, 0xef, 0, 0]), 320, 240],
    ['lossless WebP', webp('VP8L', [0x2f, 0x3f, 0xc1, 0x3b, 0x00]), 320, 240],
    ['JPEG', base64(jpeg([])), 800, 600],
    ['JPEG behind 40 KB of EXIF', btoa(String.fromCharCode(...jpeg(segment(40_000)))), 800, 600],
  ])('%s', (_name, data, widthPx, heightPx) => {
    expect(imagePixelSize(data)).toEqual({ widthPx, heightPx });
  });

  it.each([
    '',
    'https://example.com/cat.png',
    'not base64 at all!',
    base64('\x89PNG\r\n\x1a\n'),
    base64([0xff, 0xd8, 0xff, 0xe1, 0, 0]),
    base64('RIFF\0\0\0\0WEBPVP9 '),
    'A'.repeat(1_000_000),
  ])('says nothing of damaged or other data', (data) => {
    expect(imagePixelSize(data)).toBeUndefined();
  });
});
