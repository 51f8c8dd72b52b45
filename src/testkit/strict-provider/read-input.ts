// Reads an input through the prefix cache; one that is silently truncated is read from where it was cut, and reported as full.
import type { Checked } from './check.ts';
import type { TruncateFault } from './fault.ts';
import type { CachedInput } from './prefix-cache.ts';
import { credentialOf, type OpenRequest } from './request.ts';
import type { World } from './world.ts';

/** What the input comes to, by class. What the cache gave is noted in the request. */
export function readInput(
  world: World,
  request: OpenRequest,
  checked: Pick<Checked, 'api' | 'segments' | 'model'> & { truncate?: TruncateFault },
): CachedInput {
  const { api, segments, model, truncate } = checked;
  const limitTokens = truncate?.limitTokens ?? model.windowTokens;
  const isTruncating = truncate !== undefined || model.overflow === 'truncate';
  if (isTruncating && request.tokens > limitTokens) {
    return { uncachedInput: limitTokens, cacheRead: 0, cacheWrite: 0, cacheWrite1h: 0 };
  }
  const read = world.cache.read({
    api,
    scope: `${credentialOf(request)}\n${request.model}`,
    segments,
    minimumTokens: model.cacheMinimumTokens,
    nowMs: world.settings.clock.now(),
  });
  request.cachedTokens = read.cacheRead;
  return read;
}
