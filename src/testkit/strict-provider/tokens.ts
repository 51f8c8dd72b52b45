// The provider's own way of counting: characters of compact JSON by four, a flat price for media. On purpose no tokenizer's count.

/** Tokens of one image, file or sound, whatever its size in bytes. */
const MEDIA_TOKENS = 1_600;
const CHARS_PER_TOKEN = 4;
/** Base64 shorter than this is counted as text. */
const MEDIA_MIN_CHARS = 256;

/** The default count: a quarter of the UTF-16 units, rounded up. */
export function countQuarter(text: string): number {
  return Math.ceil(text.length / CHARS_PER_TOKEN);
}

/** A piece of the request as it is counted and compared: markers taken out, media replaced by what they weigh. */
export interface Rendered {
  readonly text: string;
  readonly tokens: number;
}

export interface Counting {
  text(text: string): number;
  /** A block, message or tool. Cache markers inside weigh nothing. */
  value(value: unknown): Rendered;
}

/** Counting on top of a count of texts. */
export function createCounting(count: (text: string) => number): Counting {
  return {
    text: (text) => (text === '' ? 0 : count(text)),
    value(value) {
      const plain = JSON.stringify(value) ?? 'null';
      if (!needsCare(plain)) return { text: plain, tokens: count(plain) };
      let media = 0;
      const text = JSON.stringify(value, (key, inner: unknown) => {
        if (key === 'cache_control' || key === 'prompt_cache_breakpoint') return undefined;
        if (typeof inner !== 'string' || !isMedia(key, inner)) return inner;
        media += 1;
        // Kept apart by their ends, so that a changed picture is a changed prefix.
        return `media:${inner.length}:${inner.slice(-64)}`;
      });
      return { text, tokens: count(text) + media * MEDIA_TOKENS };
    },
  };
}

function needsCare(text: string): boolean {
  return (
    text.includes('"cache_control"') || text.includes('"prompt_cache_breakpoint"') || text.includes('base64') || text.includes('"data":"')
  );
}

const MEDIA_KEYS: ReadonlySet<string> = new Set(['data', 'url', 'image_url', 'file_data']);
const BASE64 = /^[A-Za-z0-9+/=_-]+$/;

function isMedia(key: string, text: string): boolean {
  if (!MEDIA_KEYS.has(key) || text.length < MEDIA_MIN_CHARS) return false;
  return text.startsWith('data:') || (key === 'data' && BASE64.test(text.slice(0, MEDIA_MIN_CHARS)));
}
