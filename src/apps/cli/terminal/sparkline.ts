// A row of small bars.

const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/** One bar for each value, scaled to the largest; longer series are put together to at most `width` bars by their sums. */
export function sparkline(values: readonly number[], width = 60): string {
  const bins = toBins(values, width);
  const largest = bins.reduce((max, value) => Math.max(max, value), 0);
  if (largest <= 0) return BARS[0].repeat(bins.length);
  return bins
    .map((value) => BARS[Math.min(BARS.length - 1, Math.floor((Math.max(0, value) / largest) * (BARS.length - 1) + 0.5))])
    .join('');
}

function toBins(values: readonly number[], width: number): number[] {
  if (values.length <= width) return [...values];
  const bins = new Array<number>(width).fill(0);
  values.forEach((value, index) => {
    const bin = Math.floor((index * width) / values.length);
    bins[bin] = (bins[bin] ?? 0) + value;
  });
  return bins;
}
