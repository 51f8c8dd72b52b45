// The rules of cache markers: at most four, none on empty text or thinking, 1h before 5m in the order tools, system, messages.
import { type Findings, isObject, type JsonObject, listOf } from '../rules.ts';
import type { Placed, Turn } from './validate-turns.ts';

const MAX_MARKERS = 4;

/** Checks every cache_control of the body. */
export function checkCacheControl(body: JsonObject, turns: readonly Turn[], findings: Findings): void {
  let count = isObject(body.cache_control) ? 1 : 0;
  let hasShortLived = false;
  for (const { block, path } of cacheable(body, turns)) {
    const marker = block.cache_control;
    if (!isObject(marker)) continue;
    count++;
    if (block.type === 'text' && block.text === '') {
      findings.add('cache-control-empty-text', path, `${path}: cache_control cannot be set for empty text blocks`);
    }
    if (block.type === 'thinking' || block.type === 'redacted_thinking') {
      findings.add('cache-control-thinking', path, `${path}: cache_control is not allowed on \`${block.type}\` blocks`);
    }
    if (marker.ttl === '1h' && hasShortLived) {
      findings.add(
        'cache-control-order',
        path,
        `${path}: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block`,
      );
    }
    if (marker.ttl !== '1h') hasShortLived = true;
  }
  if (count > MAX_MARKERS) {
    findings.add(
      'cache-control-count',
      'cache_control',
      `A maximum of ${MAX_MARKERS} blocks with cache_control may be provided. Found ${count}.`,
    );
  }
}

function* cacheable(body: JsonObject, turns: readonly Turn[]): Generator<Placed> {
  yield* placed(body.tools, 'tools');
  yield* placed(body.system, 'system');
  for (const turn of turns) {
    for (const outer of turn.blocks) {
      yield* placed(outer.block.content, `${outer.path}.content`);
      yield outer;
    }
  }
}

function* placed(list: unknown, path: string): Generator<Placed> {
  for (const [at, block] of listOf(list).entries()) if (isObject(block)) yield { block, path: `${path}.${at}` };
}
