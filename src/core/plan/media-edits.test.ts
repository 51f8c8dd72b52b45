// F23: which media go first when a provider refuses bytes or images; texts stay.
import { describe, expect, it } from 'vitest';
import type { MediaPart, Message, Part } from '../transcript/entry.ts';
import { editMedia, type MediaScene, type MediaWish } from './media-edits.ts';

const image = (sizeBytes: number, widthPx?: number): MediaPart => ({
  kind: 'media',
  mediaKind: 'image',
  sizeBytes,
  ...(widthPx ? { widthPx, heightPx: 10 } : {}),
});
const message = (role: Message['role'], ...parts: Part[]): Message => ({ role, parts, raw: '' });
const shot = (sizeBytes: number, text = 'saved'): Message =>
  message('tool', { kind: 'result', callId: 'c', text, media: [image(sizeBytes)] });
const said = (text: string): Part => ({ kind: 'text', text });

function scene(messages: readonly Message[], newestAsk?: number): MediaScene {
  return {
    messages: messages.map((each, position) => ({ position, chain: `${position}`.repeat(64), message: each })),
    newestAsk,
    canOpenHandles: false,
  };
}

const MESSAGES = [
  message('user', said('look'), image(300_000)),
  message('assistant', said('ok')),
  shot(300_000),
  message('assistant', said('more')),
  message('user', said('and this?'), image(300_000, 9_000)),
  shot(300_000),
];

function positions(wish: MediaWish, given = scene(MESSAGES, 4)): readonly number[] {
  return editMedia(given, wish).map(({ position }) => position);
}

describe('editMedia', () => {
  it('takes the oldest until enough is saved', () => {
    expect(positions({ reach: 'all', saveBytes: 1 })).toEqual([0]);
    expect(positions({ reach: 'all', saveBytes: 300_001 })).toEqual([0, 2]);
  });

  it('takes the newest ask’s own picture last, and only when it may', () => {
    expect(positions({ reach: 'old', saveBytes: 5e6 })).toEqual([0, 2]);
    expect(positions({ reach: 'results', saveBytes: 5e6 })).toEqual([0, 2, 5]);
    expect(positions({ reach: 'all', saveBytes: 5e6 })).toEqual([0, 2, 4, 5]);
    expect(positions({ reach: 'all', saveBytes: 800_000 })).toEqual([0, 2, 5]);
  });

  it('takes what breaks a printed limit and nothing else', () => {
    expect(positions({ reach: 'all', limitPx: 8_000 })).toEqual([4]);
    expect(positions({ reach: 'all', limitBytes: 100 })).toEqual([0, 2, 4, 5]);
  });

  it('takes all that is old when nobody can say which it was, else the newest', () => {
    expect(positions({ reach: 'all' })).toEqual([0, 2]);
    expect(positions({ reach: 'all', limitPx: 50_000 })).toEqual([0, 2]);
    expect(positions({ reach: 'all' }, scene(MESSAGES.slice(3), 1))).toEqual([2]);
    expect(positions({ reach: 'all' }, scene([MESSAGES[4]!], 0))).toEqual([0]);
    expect(positions({ reach: 'all' }, scene([MESSAGES[1]!]))).toEqual([]);
  });

  it('keeps the text of a result and of its message, and says what is missing', () => {
    const edits = editMedia(scene(MESSAGES, 4), { reach: 'all' });
    expect(edits[0]!.edits).toEqual([{ kind: 'replace-media', part: 1, text: '[image left out: 300000 bytes]' }]);
    expect(edits[1]!.edits).toEqual([{ kind: 'replace-text', part: 0, text: 'saved\n[image left out: 300000 bytes]' }]);
  });

  it('leaves links alone when bytes are what is wanted', () => {
    const links = scene([message('user', said('a'), image(90)), message('assistant', said('b')), message('user', said('c'))], 2);
    expect(positions({ reach: 'all', saveBytes: 1_000 }, links)).toEqual([]);
    expect(positions({ reach: 'all' }, links)).toEqual([0]);
  });
});
