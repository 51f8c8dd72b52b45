// Two series of sizes over the same requests, drawn to the same scale.

const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;
const NOTHING = ' ';

/** One bar for each of `width` bins, the largest value of each; undefined values leave a gap. `top` is the value of a full bar. */
export function sizeLine(values: readonly (number | undefined)[], options: { readonly width: number; readonly top: number }): string {
  const { width, top } = options;
  return binsOf(values, width)
    .map((value) => {
      if (value === undefined) return NOTHING;
      const level = top <= 0 ? 0 : Math.round((Math.max(0, value) / top) * (BARS.length - 1));
      return BARS[Math.min(BARS.length - 1, level)];
    })
    .join('');
}

function binsOf(values: readonly (number | undefined)[], width: number): (number | undefined)[] {
  if (values.length <= width) return [...values];
  const bins = new Array<number | undefined>(width).fill(undefined);
  values.forEach((value, index) => {
    const bin = Math.floor((index * width) / values.length);
    const known = bins[bin];
    if (value !== undefined) bins[bin] = known === undefined ? value : Math.max(known, value);
  });
  return bins;
}
