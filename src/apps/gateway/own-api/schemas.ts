// What our own API takes, checked at the edge.
import { z } from 'zod';
import { UllageError } from '../../../core/errors.ts';
import { APIS } from '../../../core/transcript/entry.ts';

const LONGEST_TEXT_CHARS = 100_000;
const MOST_ROWS = 1_000;

const count = (fallback: number) => z.coerce.number().int().min(1).max(MOST_ROWS).default(fallback);
const line = z.coerce.number().int().min(1).optional();

export const listQuery = z.object({ limit: count(100) });
export const outcomesQuery = z.object({ limit: count(20) });
export const entriesQuery = z.object({ from: z.coerce.number().int().min(0).optional(), limit: count(100) });
export const readQuery = z.object({ fromLine: line, toLine: line });
export const searchQuery = z.object({ q: z.string().min(1).max(LONGEST_TEXT_CHARS), limit: count(10) });
export const exportQuery = z.object({ format: z.enum(APIS).optional(), compacted: z.enum(['true', 'false']).optional() });

export const compactBody = z.strictObject({
  focus: z.string().max(LONGEST_TEXT_CHARS).optional(),
  dryRun: z.boolean().optional(),
  targetTokens: z.number().positive().optional(),
});
export const pinBody = z.strictObject({ text: z.string().min(1).max(LONGEST_TEXT_CHARS) });
export const emptyBody = z.strictObject({});

/** Throws option_invalid, naming the first member that is wrong. */
export function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = issue?.path.length ? issue.path.join('.') : 'the body';
  throw new UllageError('option_invalid', `${place}: ${issue?.message ?? 'not as expected'}.`);
}
