// Whether a provider's number can be believed. A number that cannot is unknown, never a guess.

/** A reading that was believed before. */
export interface EarlierReading {
  readonly measuredTokens: number;
  /** Uncalibrated estimate of that request. */
  readonly estimateTokens: number;
  /** Rendered through the same view as the one that is judged. */
  readonly isSameView: boolean;
}

export interface ReadingInput {
  /** Prompt size the provider reported for a request that succeeded, tokens; undefined when it reported none. */
  readonly measuredTokens?: number;
  readonly windowTokens: number;
  /** Nobody told or proved the window: a larger reading then proves the guess wrong, not the reading. */
  readonly isWindowGuess?: boolean;
  /** Uncalibrated estimate of the request, tokens. */
  readonly estimateTokens: number;
  /** The calibration's factor; 1 when there is none. */
  readonly factor: number;
  readonly isCalibrated: boolean;
  /** Believed readings of this model and route before this one, the last first. */
  readonly earlier: readonly EarlierReading[];
}

export type ReadingFlag = 'over_window' | 'cumulative' | 'truncated' | 'plateau';

export interface JudgedReading {
  /** undefined when nothing was reported or the number is flagged. */
  readonly size?: number;
  readonly flag?: ReadingFlag;
  /** The window that a plateau shows, tokens. */
  readonly learntWindowTokens?: number;
}

/** A successful request cannot be larger than the window; providers round. */
const OVER_WINDOW = 1.02;
/** No model serves more, tokens: where nobody knows the window, a larger reading is a sum over many requests all the same. */
const LARGEST_WINDOW = 10_000_000;
/** How near to the sum of the earlier readings a counter that adds up comes. */
const CUMULATIVE_TOLERANCE = 0.01;
/** A reading this near to a calibrated estimate is explained by it, whatever sum it also equals. */
const EXPLAINED_TOLERANCE = 0.05;
/** A server that counted less than this share of a calibrated estimate saw less than was sent. */
const TRUNCATED_SHARE = 0.5;
/** Growth of each of three requests under which equal readings show where the server cuts. */
const PLATEAU_GROWTH = 1.05;

/** Being larger than the estimate is never a reason: a floor that no estimate saw is real. */
export function judgeReading(input: ReadingInput): JudgedReading {
  const { measuredTokens } = input;
  if (measuredTokens === undefined || !Number.isFinite(measuredTokens) || measuredTokens <= 0) return {};
  const mostTokens = input.isWindowGuess ? Math.max(LARGEST_WINDOW, input.windowTokens) : input.windowTokens;
  if (measuredTokens > OVER_WINDOW * mostTokens) return { flag: 'over_window' };
  if (isPlateau(input, measuredTokens)) return { flag: 'plateau', learntWindowTokens: measuredTokens };
  if (isCumulative(input, measuredTokens)) return { flag: 'cumulative' };
  if (input.isCalibrated && measuredTokens < TRUNCATED_SHARE * input.estimateTokens * input.factor) return { flag: 'truncated' };
  return { size: measuredTokens };
}

/** A counter that adds up all requests so far: within one percent of the sum of two or more of this view's readings. */
function isCumulative(input: ReadingInput, measuredTokens: number): boolean {
  const ofView = input.earlier.filter((reading) => reading.isSameView);
  if (ofView.length < 2) return false;
  const expected = input.estimateTokens * input.factor;
  if (input.isCalibrated && Math.abs(measuredTokens - expected) <= EXPLAINED_TOLERANCE * expected) return false;
  const sum = ofView.reduce((total, reading) => total + reading.measuredTokens, 0);
  return Math.abs(measuredTokens - sum) <= CUMULATIVE_TOLERANCE * sum;
}

/** Equal over three requests that each grew by five percent: the server cuts there. */
function isPlateau(input: ReadingInput, measuredTokens: number): boolean {
  const [last, before] = input.earlier;
  if (!last?.isSameView || !before?.isSameView) return false;
  if (last.measuredTokens !== measuredTokens || before.measuredTokens !== measuredTokens) return false;
  return input.estimateTokens >= PLATEAU_GROWTH * last.estimateTokens && last.estimateTokens >= PLATEAU_GROWTH * before.estimateTokens;
}
