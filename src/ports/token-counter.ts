// Counting tokens of one text. The built-in estimator is always there; an exact tokenizer may stand behind the same port.

/** Counts texts in the place of the built-in estimator. */
export interface TokenCounter {
  /** For people, such as the name of a vocabulary. */
  readonly name: string;
  /** Tokens of one text. Must be safe on any string, linear in its length. */
  count(text: string): number;
}
