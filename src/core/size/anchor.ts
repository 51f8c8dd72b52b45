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
  /** Uncalibrated estimate of the whole request, tokens. */
  readonly estimateTokens: number;
  /** Uncalibrated estimate of what is rendered after the entry with this chain hash; undefined when it is not in the chain. */
  readonly tokensAfter: (tip: string) => number | undefined;
  /** The calibration's factor. */
  readonly factor: number;
}

export interface DerivedSize {
  readonly size: ContextSize;
  /** Calibrated tokens of such requests that no estimate explains. Counts as preamble until the preamble changes. */
  readonly unexplainedTokens: number;
}

/** measured when an anchor of this very view, preamble, model and route lies on the chain; else the calibrated estimate plus what is unexplained. */
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
