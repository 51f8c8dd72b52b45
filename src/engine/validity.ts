// What we emit passes the API's rules, or breaks none more often than the caller's own body did (Law 6).
import type { Violation } from '../core/codec.ts';
import type { Context } from './context.ts';

/** The first violation that is ours, told to health and log; undefined = sound. */
export function addedViolation(context: Context, texts: { readonly original: string; readonly rendered: string }): Violation | undefined {
  const violations = context.codec.validate(texts.rendered);
  if (violations.length === 0) return undefined;
  const own = new Map<string, number>();
  for (const { rule } of context.codec.validate(texts.original)) own.set(rule, (own.get(rule) ?? 0) + 1);
  const added = violations.find(({ rule }) => {
    const left = own.get(rule) ?? 0;
    own.set(rule, left - 1);
    return left <= 0;
  });
  if (!added) return undefined;
  context.health.lastFault = `${added.rule} at ${added.path}`;
  context.log.write('error', `A rendered request would have broken ${added.rule} at ${added.path} and was not used.`, { rule: added.rule });
  return added;
}
