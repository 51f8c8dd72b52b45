// The size of a request from what the provider said of an earlier one. Unknown stays undefined; nothing here is 0 by default.
import type { Anchor, ContextSize } from './size.ts';

export interface ContextSizeInput {
  /** Of the conversation; the last recorded first. */
  readonly anchors: readonly Anchor[];
  /** View the request is rendered through; '' = none. */
  readonly viewId: string;
  readonly preambleDigest: string;
  readonly route: string;
  readonly model: string;
  /** Uncalibrated estimate of the whole request (preamble and messages as rendered), tokens. */
  readonly estimateTokens: number;
  /** Uncalibrated estimate of what is rendered after the entry with this chain hash; undefined when it is not in the chain. */
  readonly tokensAfter: (tip: string) => number | undefined;
  /** The calibration's factor; 1 when there is none. */
  readonly factor: number;
}

export interface DerivedSize {
  readonly size: ContextSize;
  /** Calibrated tokens of such requests that no estimate explains. Counts as preamble until the preamble changes. */
  readonly unexplainedTokens: number;
}

/**
 * measured: an anchor of this very view, preamble, model and route lies on the chain; its prompt size plus the calibrated estimate of what was
 * added since. Else estimated: the calibrated estimate of everything plus what is unexplained. Right after a commit no anchor has the new view,
 * so an old, larger size is never read again.
 */
export function deriveContextSize(input: ContextSizeInput): DerivedSize {
  const same = input.anchors.filter(
    (anchor) => anchor.model === input.model && anchor.route === input.route && anchor.preambleDigest === input.preambleDigest,
  );
  const unexplainedTokens = unexplained(same[0], input.factor);
  const measured = nearest(input, same);
  if (measured !== undefined) return { size: { kind: 'measured', tokens: measured }, unexplainedTokens };
  return { size: { kind: 'estimated', tokens: Math.ceil(input.estimateTokens * input.factor + unexplainedTokens) }, unexplainedTokens };
}

function unexplained(newest: Anchor | undefined, factor: number): number {
  return newest === undefined ? 0 : Math.max(0, Math.round(newest.promptTokens - newest.estimateTokens * factor));
}

/** From the anchor with the least behind it. */
function nearest(input: ContextSizeInput, anchors: readonly Anchor[]): number | undefined {
  let best: { readonly after: number; readonly tokens: number } | undefined;
  for (const anchor of anchors) {
    if (anchor.viewId !== input.viewId) continue;
    const after = input.tokensAfter(anchor.tip);
    if (after !== undefined && (best === undefined || after < best.after))
      best = { after, tokens: Math.ceil(anchor.promptTokens + after * input.factor) };
  }
  return best?.tokens;
}

/** Anchors kept per model: a fork or two may lie between the newest and the one that fits. */
export const ANCHORS_PER_MODEL = 4;

/** The anchors after a new one: one per tip of a model, the newest four per model, the last recorded first. */
export function mergeAnchors(existing: readonly Anchor[], next: Anchor): readonly Anchor[] {
  const others = existing.filter((anchor) => anchor.model !== next.model || anchor.tip !== next.tip);
  const kept = new Map<string, number>();
  return [next, ...others].filter((anchor) => {
    const count = (kept.get(anchor.model) ?? 0) + 1;
    kept.set(anchor.model, count);
    return count <= ANCHORS_PER_MODEL;
  });
}
