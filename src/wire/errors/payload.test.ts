// F23: limits in bytes and pixels, each with its own recovery.
import { describe, expect, test } from 'vitest';
import { anthropic, classOf, status400 } from './testing/errors.ts';

describe('F23 bytes and media are no tokens', () => {
  test.each([
    ['Anthropic', anthropic('Request exceeds the maximum size', 'request_too_large', 413), {}],
    ['Anthropic with a number', anthropic('Request too large (max 32MB)', 'request_too_large', 413), { limitBytes: 32_000_000 }],
    ['a proxy', { status: 413, body: '<html><head><title>413 Request Entity Too Large</title></head></html>' }, {}],
    ['without a body', { status: 413 }, {}],
    ['an SDK without a body', Object.assign(new Error('413 status code (no body)'), { status: 413 }), {}],
    ['text alone', 'Error: request entity too large', {}],
    [
      'Moonshot',
      status400({ error: { message: 'Invalid request: total message size 2100954 exceeds limit 2097152' } }),
      { limitBytes: 2_097_152 },
    ],
    [
      'Gemini',
      status400({ error: { code: 400, message: 'Request payload size exceeds the limit: 20971520 bytes. Please use the File API.' } }),
      { limitBytes: 20_971_520 },
    ],
    [
      'the decoded body',
      { status: 413, body: { error: { type: 'RequestBodyTooLargeAfterDecodingError', message: 'The decoded body is too large' } } },
      {},
    ],
  ])('payload: %s', (_, error, expected) => {
    expect(classOf(error)).toEqual({ kind: 'payload', ...expected });
  });

  test('a 413 that speaks of tokens is an overflow, without a limit', () => {
    expect(classOf({ status: 413, body: { error: 'too much input: tokens must be fewer' } })).toEqual({ kind: 'overflow' });
  });

  test.each([
    [
      'bytes',
      anthropic('messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6000000 bytes > 5242880 bytes'),
      { limitBytes: 5_242_880 },
    ],
    ['bytes in words', anthropic('image exceeds 5 MB maximum'), { limitBytes: 5_000_000 }],
    [
      'pixels',
      anthropic('messages.4.content.0.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels'),
      { limitPx: 8_000 },
    ],
    [
      'pixels of many images',
      anthropic('At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels'),
      { limitPx: 2_000 },
    ],
    [
      'a code',
      {
        status: 400,
        body: {
          type: 'error',
          error: {
            type: 'invalid_request_error',
            message: 'An image has too many pixels.',
            details: { error_code: 'image_dimensions_too_large', paths: ['messages.0'] },
          },
        },
      },
      {},
    ],
    ['pages', anthropic('A maximum of 100 PDF pages may be provided.'), {}],
    ['unreadable', anthropic('Could not process image'), {}],
  ])('media: %s', (_, error, expected) => {
    expect(classOf(error)).toEqual({ kind: 'media', ...expected });
  });
});
