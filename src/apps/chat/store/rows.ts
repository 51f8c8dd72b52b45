// What the chat's tables hold, as the rest of the chat sees it.

/** text: for the model. command: begins with a slash. note: answered by a fixed text. */
export type ItemKind = 'text' | 'command' | 'note';

/** waiting → running → answered (its words are recorded) → done (they are delivered). */
export type ItemState = 'waiting' | 'running' | 'answered' | 'done';

/** Where an answer goes. Only its channel reads it. */
export type Address = Readonly<Record<string, string | number | boolean>>;

/** What came along with the words; it is fetched from its platform when it is read. */
export interface FileRef {
  readonly kind: 'image' | 'text';
  /** The platform's name for it. */
  readonly id: string;
  /** What people call it: 'photo', or the name of a file. */
  readonly name: string;
  /** Where the platform tells. */
  readonly sizeBytes?: number;
}

/** Something that came in. */
export interface NewItem {
  readonly source: string;
  readonly updateId: number;
  readonly session: string;
  readonly kind: ItemKind;
  readonly text: string;
  readonly address: Address;
  /** None is none. */
  readonly files?: readonly FileRef[];
}

export interface Item extends NewItem {
  readonly id: number;
  readonly atMs: number;
  readonly state: ItemState;
}

/** waiting → placing → placed → sent; 'failed' when the platform takes it for ever. */
export type OutState = 'waiting' | 'placing' | 'placed' | 'sent' | 'failed';

/** One message of the platform. */
export interface OutMessage {
  readonly itemId: number;
  readonly ordinal: number;
  /** undefined while the answer is being made. */
  readonly text?: string;
  readonly state: OutState;
  readonly messageId?: number;
  /** The newest message id that was known when it was placed. */
  readonly afterId?: number;
}

/** Where a session stands. */
export interface SessionState {
  readonly key: string;
  /** Counts `/new`. */
  readonly generation: number;
  /** Counts continuations of the generation. */
  readonly epoch: number;
  readonly reading?: Reading;
}

/** The newest known size of a session's requests, for `/status`. */
export interface Reading {
  readonly atMs: number;
  readonly tokens: number;
  readonly isMeasured: boolean;
  readonly window: number;
  readonly usable: number;
  readonly threshold: number;
  readonly target: number;
  readonly floorTokens: number;
  readonly floorParts: readonly { readonly name: string; readonly tokens: number }[];
  readonly warnings: readonly string[];
}

/** The library's name of a session: each `/new` begins one of its own. */
export function sessionKeyOf({ key, generation }: Pick<SessionState, 'key' | 'generation'>): string {
  return generation === 1 ? key : `${key}#${generation}`;
}
