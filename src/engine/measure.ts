// Sizes and budgets of one request, from what the store knows and what is rendered.
import { deriveContextSize } from '../core/size/anchor.ts';
import { type Budget, deriveBudget, isWindowGuessed, resolveWindow } from '../core/size/budget.ts';
import { estimateTokens } from '../core/size/estimator.ts';
import type { Calibration } from '../core/size/size.ts';
import type { Located } from '../ports/store.ts';
import type { Context } from './context.ts';
import type { Head } from './intake.ts';
import { modelFacts } from './options.ts';
import type { Rendered } from './render.ts';
import type { Measure, RequestShape } from './request.ts';

export interface MeasureInput {
  readonly shape: RequestShape;
  readonly heads: readonly Head[];
  readonly chain: readonly string[];
  readonly rendered: Rendered;
  readonly viewId: string;
  /** Position of the watermark of the newest view-changing event; -1 = none. */
  readonly watermark: number;
  readonly located?: Located;
}

export function calibrationFor(context: Context, located: Located | undefined, model: string): Calibration | undefined {
  return located?.calibrations.find((row) => row.model === model && row.route === context.route);
}

export function measureRequest(context: Context, input: MeasureInput): Measure {
  const calibration = calibrationFor(context, input.located, input.shape.model);
  const factor = calibration?.samples ? calibration.factor : 1;
  const wholeTokens = input.shape.preamble.tokens + input.rendered.tokens;
  const { size, unexplainedTokens } = deriveContextSize({
    anchors: input.located?.anchors ?? [],
    viewId: input.viewId,
    preambleDigest: input.shape.preamble.digest,
    route: context.route,
    model: input.shape.model,
    estimateTokens: wholeTokens,
    tokensAfter: (tip) => tokensAfterTip(input, tip),
    factor,
  });
  const grownTokens = input.rendered.messages.reduce(
    (sum, message) => sum + ((message.position ?? -1) > input.watermark ? message.tokens : 0),
    0,
  );
  return {
    context: size,
    factor,
    isCalibrated: (calibration?.samples ?? 0) > 0,
    unexplainedTokens,
    estimateTokens: wholeTokens,
    grownTokens,
  };
}

/** Uncalibrated estimate of what is rendered after the entry with this chain hash; undefined when it is not in the chain. */
function tokensAfterTip(input: MeasureInput, tip: string): number | undefined {
  const position = input.chain.lastIndexOf(tip);
  if (position < 0) return undefined;
  let tokens = 0;
  for (let index = input.rendered.messages.length - 1; index >= 0; index--) {
    const message = input.rendered.messages[index]!;
    if (message.position !== undefined && message.position <= position) break;
    tokens += message.tokens;
  }
  return tokens;
}

export interface BudgetInput {
  readonly shape: RequestShape;
  readonly measure: Measure;
  readonly located?: Located;
  /** Uncalibrated estimate of the first genuine ask. */
  readonly firstAskTokens: number;
}

export function budgetFor(context: Context, input: BudgetInput): Budget {
  const { shape, measure } = input;
  const known = modelFacts(context.options, shape.model);
  const calibration = calibrationFor(context, input.located, shape.model);
  const windows = { told: known.isGuess ? undefined : known.window, learnt: calibration?.windowTokens };
  const scale = (tokens: number) => Math.ceil(tokens * measure.factor);
  return deriveBudget(context.options.policy ?? {}, {
    windowTokens: resolveWindow(windows),
    isWindowGuess: isWindowGuessed(windows),
    maxInputTokens: known.maxInputTokens,
    requestedOutputTokens: shape.requestedOutputTokens,
    modelMaxOutputTokens: known.maxOutputTokens,
    preambleTokens: scale(shape.preamble.tokens),
    unexplainedTokens: measure.unexplainedTokens,
    pinTokens: scale((input.located?.pins ?? []).reduce((sum, pin) => sum + estimateTokens(pin.text), 0)),
    firstAskTokens: scale(input.firstAskTokens),
    contextTokens: measure.context.tokens,
    contributors: shape.preamble.pieces.map((piece) => ({ name: piece.name, tokens: scale(piece.tokens) })),
  });
}
