// JSON strings that this package writes itself. Half a surrogate pair is refused by providers, so new text never carries one.

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** The text as a JSON string; a lone surrogate becomes U+FFFD. */
export function quote(text: string): string {
  return JSON.stringify(text.replace(LONE_SURROGATE, '\ufffd'));
}
