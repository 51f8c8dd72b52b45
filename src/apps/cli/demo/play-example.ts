// The bundled session, played on a real SQLite file: what was sent, what was folded, and that all of it is still there.
import { createUllage } from '../../../create-ullage.ts';
import type { Store } from '../../../ports/store.ts';
import { type History, readHistory } from '../replay/history.ts';
import { type Play, playTranscript } from '../replay/play.ts';
import { type Totals, totalsOf } from '../replay/totals.ts';
import type { LoadedRequest } from '../shared/load-transcript.ts';

/** Small, so that a short session fills it. */
export const DEMO_WINDOW = 16_000;

const KEY = 'demo';

/** Something that left the request and is found again. */
export interface Found {
  readonly word: string;
  readonly handle: string;
  readonly position: number;
  /** Characters of the full text behind the handle. */
  readonly chars: number;
}

export interface PlayedExample {
  readonly history: History;
  readonly play: Play;
  readonly totals: Totals;
  /** Of the last request, the summary's own lines. */
  readonly summary: readonly string[];
  /** undefined when every name of the folded part is still in the request. */
  readonly found?: Found;
}

export async function playExample(loaded: LoadedRequest, store: Store, startMs: number): Promise<PlayedExample> {
  const history = readHistory(loaded);
  let sentText = '';
  const play = await playTranscript(loaded, {
    history,
    store,
    startMs,
    key: KEY,
    windowTokens: DEMO_WINDOW,
    policy: {},
    now: () => performance.now(),
    onPrepared: ({ text }) => {
      sentText = text;
    },
  });
  const found = await findAgain(loaded, store, sentText);
  return { history, play, totals: totalsOf(play.requests, DEMO_WINDOW), summary: summaryLines(loaded, sentText), found };
}

function summaryLines({ codec }: LoadedRequest, text: string): readonly string[] {
  const body = codec.decodeBody(text);
  const first = body.messages[body.preambleCount];
  if (first === undefined) return [];
  const { parts } = codec.decodeMessage(text.slice(first.start, first.end));
  const summary = parts.find((part) => part.kind === 'text' && part.text.startsWith('<ullage-summary>'));
  return summary?.kind === 'text' ? summary.text.split('\n').filter((line) => line.trim() !== '') : [];
}

/** A name: camel case, or capitals joined by underscores. */
const NAME = /\b(?:[a-z]+(?:[A-Z][a-z]+){2,}|[A-Z]{3,}(?:_[A-Z]{3,})+)\b/g;
const MOST_TRIES = 5;

async function findAgain({ codec, body }: LoadedRequest, store: Store, sentText: string): Promise<Found | undefined> {
  const ullage = createUllage({ store, api: codec.api });
  const session = await ullage.session(KEY);
  for (const word of goneNames(body.text, sentText).slice(0, MOST_TRIES)) {
    const [hit] = await session.search(word, { limit: 1 });
    if (hit === undefined) continue;
    const { handle, position } = hit;
    return { word, handle, position, chars: (await session.read(handle)).length };
  }
  return undefined;
}

function goneNames(history: string, sent: string): string[] {
  const names = new Set(history.match(NAME));
  return [...names].filter((name) => !sent.includes(name));
}
