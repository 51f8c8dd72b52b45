// Which images and files go out of a request that a provider refused for its bytes or its media. The texts beside them stay.
import { entryHandle, type MediaPart, type Message, type Part } from '../transcript/entry.ts';
import type { EntryEdit, PartEdit } from './edit.ts';
import { mediaStub } from './stub.ts';

/** A message as it is sent now. */
export interface SentMessage {
  readonly position: number;
  readonly chain: string;
  readonly message: Message;
}

export interface MediaWish {
  /** Body bytes to save, the oldest media first. undefined: what breaks a printed limit, else all that is old. */
  readonly saveBytes?: number;
  /** The most bytes one file may have. */
  readonly limitBytes?: number;
  /** The most pixels of its longer side. */
  readonly limitPx?: number;
  /** Media of the newest thing a person said, and of what answers the last calls, may go too. */
  readonly reach: 'old' | 'results' | 'all';
}

export interface MediaScene {
  /** In order. */
  readonly messages: readonly SentMessage[];
  /** Position of the newest thing a person said. */
  readonly newestAsk?: number;
  readonly canOpenHandles: boolean;
}

interface Holder {
  readonly sent: SentMessage;
  readonly index: number;
  readonly part: Part;
  readonly media: readonly MediaPart[];
  readonly sizeBytes: number;
  /** 0 = old, 1 = answers the last calls, 2 = shown by the newest ask. */
  readonly rank: 0 | 1 | 2;
}

const MOST_RANK = { old: 0, results: 1, all: 2 } as const;

/** Replacing less saves nothing: the text in its place has some hundred bytes. */
const SMALLEST_MEDIA_BYTES = 1_000;

/** Edits in position order, as parts of the messages as sent; none when nothing fits the wish. */
export function editMedia(scene: MediaScene, wish: MediaWish): readonly EntryEdit[] {
  const most = MOST_RANK[wish.reach];
  const holders = holdersOf(scene).filter(({ rank }) => rank <= most);
  const chosen = wish.saveBytes === undefined ? refused(holders, wish) : oldestUntil(holders, wish.saveBytes);
  const edits = new Map<number, PartEdit[]>();
  for (const holder of chosen) {
    const edit = editOf(holder, scene.canOpenHandles);
    edits.set(holder.sent.position, [...(edits.get(holder.sent.position) ?? []), edit]);
  }
  return [...edits].sort(([a], [b]) => a - b).map(([position, own]) => ({ position, kind: 'prune', edits: own }));
}

function holdersOf({ messages, newestAsk }: MediaScene): readonly Holder[] {
  const lastAnswer = messages.findLast(({ message }) => message.role === 'assistant')?.position ?? -1;
  return messages.flatMap((sent) =>
    sent.message.parts.flatMap((part, index): Holder[] => {
      const media = part.kind === 'media' ? [part] : part.kind === 'result' ? part.media : [];
      if (media.length === 0) return [];
      const rank = sent.position === newestAsk ? 2 : sent.position > lastAnswer ? 1 : 0;
      return [{ sent, index, part, media, rank, sizeBytes: media.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) }];
    }),
  );
}

function oldestUntil(holders: readonly Holder[], saveBytes: number): readonly Holder[] {
  const worthwhile = holders.filter(({ sizeBytes }) => sizeBytes >= SMALLEST_MEDIA_BYTES);
  const chosen: Holder[] = [];
  let saved = 0;
  for (const holder of worthwhile.sort((a, b) => a.rank - b.rank || a.sent.position - b.sent.position)) {
    if (saved >= saveBytes) break;
    chosen.push(holder);
    saved += holder.sizeBytes;
  }
  return chosen;
}

/** What breaks a printed limit; when nothing is seen to, the oldest kind there is. */
function refused(holders: readonly Holder[], wish: MediaWish): readonly Holder[] {
  const breaking = holders.filter(({ media }) => media.some((each) => breaksLimit(each, wish)));
  if (breaking.length > 0) return breaking;
  const least = Math.min(...holders.map(({ rank }) => rank));
  return holders.filter(({ rank }) => rank === least);
}

function breaksLimit({ sizeBytes, widthPx = 0, heightPx = 0 }: MediaPart, { limitBytes, limitPx }: MediaWish): boolean {
  return sizeBytes > (limitBytes ?? Number.POSITIVE_INFINITY) || Math.max(widthPx, heightPx) > (limitPx ?? Number.POSITIVE_INFINITY);
}

function editOf({ sent, index, part, media }: Holder, canOpenHandles: boolean): PartEdit {
  const handle = canOpenHandles ? entryHandle(sent.chain, index) : undefined;
  const stubs = media.map((each) => mediaStub(each, handle));
  if (part.kind !== 'result') return { kind: 'replace-media', part: index, text: stubs.join('\n') };
  return { kind: 'replace-text', part: index, text: [part.text, ...stubs].filter((text) => text !== '').join('\n') };
}
