// Keeps exact counting linear: byte-pair merging is quadratic in the length of a run without a break, so long runs are cut into slices.

/** Longest run in one slice; a character outside ASCII weighs {@link WIDE_WEIGHT}. */
const RUN_LIMIT = 256;
const WIDE_WEIGHT = 4;
/** Above this many characters in one run even slices take too long: the text is estimated. */
const RUN_CHARS_LIMIT = 262_144;

/** What a code unit belongs to; the tokenizer never joins different groups beyond one character. Surrogates belong to any. */
const GROUPS = { any: 0, letter: 1, number: 2, space: 3, mark: 4 } as const;

function groupOf(code: number): number {
  if (code >= 0xd800 && code <= 0xdfff) return GROUPS.any;
  const char = String.fromCharCode(code);
  if (/[\p{L}\p{M}]/u.test(char)) return GROUPS.letter;
  if (/\p{N}/u.test(char)) return GROUPS.number;
  return /\s/u.test(char) ? GROUPS.space : GROUPS.mark;
}

let groups: Uint8Array | undefined;

const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

/** The text in slices whose counts may be added; undefined when a run is too long to be counted at all. */
export function cutLongRuns(text: string): readonly string[] | undefined {
  groups ??= Uint8Array.from({ length: 0x10000 }, (_, code) => groupOf(code));
  const slices: string[] = [];
  let sliceStart = 0;
  let runStart = 0;
  let runWeight = 0;
  let runGroup = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const group = groups[code]!;
    if (group !== GROUPS.any && group !== runGroup) {
      runGroup = group;
      runStart = index;
      runWeight = 0;
    }
    runWeight += code < 0x80 ? 1 : WIDE_WEIGHT;
    if (runWeight <= RUN_LIMIT || isLowSurrogate(code)) continue;
    if (index - runStart > RUN_CHARS_LIMIT) return undefined;
    slices.push(text.slice(sliceStart, index));
    sliceStart = index;
    runWeight = 0;
  }
  slices.push(text.slice(sliceStart));
  return slices;
}
