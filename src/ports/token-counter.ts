// Counting tokens of one text. The built-in estimator is always there; an exact tokenizer may stand behind the same port.

export interface TokenCounter {
  readonly name: string;
  /** Tokens of one text. Must be safe on any string, linear in its length. */
  count(text: string): number;
}
