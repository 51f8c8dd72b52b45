// What a plan may do to one message, in neutral terms. `wire` applies edits to raw bytes, all other bytes survive.

/** One change of one message. `part` is an index into `Message.parts`. */
export type PartEdit =
  /** A text part, or the whole content of a result (its media included), becomes this text. */
  | { readonly kind: 'replace-text'; readonly part: number; readonly text: string }
  /** The arguments of a call become this JSON text. */
  | { readonly kind: 'replace-arguments'; readonly part: number; readonly argumentsText: string }
  /** A media part becomes a text. */
  | { readonly kind: 'replace-media'; readonly part: number; readonly text: string }
  /** A part goes away as a whole (thinking, an orphan result, an orphan call). */
  | { readonly kind: 'drop'; readonly part: number }
  /** Text in front of the content of a user message. */
  | { readonly kind: 'prepend-text'; readonly text: string }
  /** Text behind the content of a user message. */
  | { readonly kind: 'append-text'; readonly text: string };

/** Edits of one entry. */
export interface EntryEdit {
  /** Of the message, from 0, in the stored chain. */
  readonly position: number;
  /** squeeze: shortened although it was recent, because nothing else was left. */
  readonly kind: 'prune' | 'squeeze';
  readonly edits: readonly PartEdit[];
}
