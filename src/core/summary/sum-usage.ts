// Adds up what several calls reported as their usage, member by member, in the shape that the provider uses.

const DEEPEST = 6;

/** The sum; of one usage, that usage unchanged; undefined when nothing was reported. Numbers are added, other values are the newest. */
export function sumUsage(usages: readonly unknown[]): unknown {
  const known = usages.filter((usage) => usage !== undefined && usage !== null);
  return known.reduce((sum: unknown, usage) => (sum === undefined ? usage : added(sum, usage, 0)), undefined);
}

function added(sum: unknown, next: unknown, depth: number): unknown {
  if (typeof sum === 'number' && typeof next === 'number') return sum + next;
  if (!isRecord(sum) || !isRecord(next) || depth >= DEEPEST) return next ?? sum;
  const names = new Set([...Object.keys(sum), ...Object.keys(next)]);
  const members = [...names].map((name) => [name, name in sum ? added(sum[name], next[name], depth + 1) : next[name]] as const);
  return Object.fromEntries(members);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
