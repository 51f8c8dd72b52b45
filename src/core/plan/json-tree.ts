// Reads a JSON text into a tree that keeps every value as it is written: large numbers are ids and must not be rounded.

/** Deeper texts are no data that a person would read. */
const DEEPEST = 48;
const QUOTE = 34;
const BACKSLASH = 92;

export interface JsonNode {
  /** In an object. */
  readonly key: string;
  /** A leaf has none. */
  readonly children: readonly JsonNode[];
  readonly kind: 'leaf' | 'list' | 'object';
  /** Of a leaf: its value, strings without quotes and escapes; half of a surrogate pair that was escaped is U+FFFD. */
  readonly text: string;
}

/** The tree of a JSON object or list; undefined when the text is none, or nested too deeply. Linear. */
export function readJsonTree(text: string): JsonNode | undefined {
  const source = text.trim();
  if (!isWrapped(source) || !isJson(source)) return undefined;
  return new Reader(source).read();
}

function isWrapped(source: string): boolean {
  return (source.startsWith('{') && source.endsWith('}')) || (source.startsWith('[') && source.endsWith(']'));
}

/** Any JSON value. */
export function isJson(source: string): boolean {
  try {
    JSON.parse(source);
    return true;
  } catch {
    return false;
  }
}

/** Reads a text that is known to be JSON. */
class Reader {
  private readonly source: string;
  private at = 0;

  constructor(source: string) {
    this.source = source;
  }

  read(): JsonNode | undefined {
    return this.value('', 0);
  }

  private value(key: string, depth: number): JsonNode | undefined {
    this.skipTo();
    const opening = this.source[this.at];
    if (opening !== '{' && opening !== '[') return { key, children: [], kind: 'leaf', text: this.leaf() };
    if (depth >= DEEPEST) return undefined;
    const isObject = opening === '{';
    const children = this.children(isObject, depth);
    return children && { key, children, kind: isObject ? 'object' : 'list', text: '' };
  }

  private children(isObject: boolean, depth: number): readonly JsonNode[] | undefined {
    const children: JsonNode[] = [];
    this.at += 1;
    for (this.skipTo(); !this.isClosing(); this.skipTo()) {
      const key = isObject ? this.leaf() : '';
      const child = this.value(key, depth + 1);
      if (child === undefined) return undefined;
      children.push(child);
    }
    this.at += 1;
    return children;
  }

  private isClosing(): boolean {
    const code = this.source[this.at];
    return code === '}' || code === ']';
  }

  /** Past white space, commas and colons: the text is valid, so they tell nothing new. */
  private skipTo(): void {
    while (' \n\r\t,:'.includes(this.source[this.at]!)) this.at += 1;
  }

  private leaf(): string {
    const from = this.at;
    if (this.source.charCodeAt(from) === QUOTE) return this.string();
    while (!' \n\r\t,}]'.includes(this.source[this.at]!)) this.at += 1;
    return this.source.slice(from, this.at);
  }

  private string(): string {
    const from = this.at;
    let isEscaped = false;
    for (this.at += 1; this.source.charCodeAt(this.at) !== QUOTE; this.at += 1) {
      if (this.source.charCodeAt(this.at) !== BACKSLASH) continue;
      isEscaped = true;
      this.at += 1;
    }
    this.at += 1;
    return isEscaped ? String(JSON.parse(this.source.slice(from, this.at))).toWellFormed() : this.source.slice(from + 1, this.at - 1);
  }
}
