// A few lines of a summary that show what it is made of.

/** The frame's own words come first, the same in every summary. */
const FRAME_LINES = 2;
const ASK_LINES = 2;
const TOOL_UNITS = 2;
const SPOKEN_UNITS = 2;

const UNIT = /^\[[^\]]+\] /;
const SPOKEN = /^\[(?:user|assistant)\] /;

/** The first ask, the beginnings of what some tools said, and what user and agent said, in their order. */
export function summaryExcerpt(lines: readonly string[]): readonly string[] {
  const own = lines.slice(FRAME_LINES);
  const tools = own.flatMap((line, index) => (UNIT.test(line) && !SPOKEN.test(line) && own[index + 1]?.startsWith('→') ? [index] : []));
  const spoken = own.flatMap((line, index) => (SPOKEN.test(line) ? [index] : []));
  const shown = new Set([
    ...own.slice(0, ASK_LINES).keys(),
    ...tools.slice(-TOOL_UNITS).flatMap((index) => [index, index + 1]),
    ...spoken.slice(0, SPOKEN_UNITS),
  ]);
  return own.filter((_, index) => shown.has(index));
}
