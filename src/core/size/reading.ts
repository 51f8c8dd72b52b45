// Whether a provider's number can be believed. A number that cannot is unknown, never a guess.

export interface EarlierReading {
  readonly measuredTokens: number;
  /** Uncalibrated estimate of that request. */
  readonly estimateTokens: number;
  readonly isSameView: boolean;
}

export interface ReadingInput {
  /** What the provider reported; undefined when it reported nothing. */
  readonly measuredTokens?: number;
  readonly windowTokens: number;
  /** Uncalibrated estimate of the request. */
  readonly estimateTokens: number;
  readonly factor: number;
  readonly isCalibrated: boolean;
  /** Believed readings before this one, the last first. */
  readonly earlier: readonly EarlierReading[];
}

export type ReadingFlag = 'over_window' | 'cumulative' | 'truncated' | 'plateau';

export interface JudgedReading {
  /** undefined when nothing was reported or the number is flagged. */
  readonly size?: number;
  readonly flag?: ReadingFlag;
  /** The window that a plateau shows. */
  readonly learntWindowTokens?: number;
}

const OVER_WINDOW = 1.02;
const CUMULATIVE_TOLERANCE = 0.01;
const TRUNCATED_SHARE = 0.5;
const PLATEAU_GROWTH = 1.05;

/** Being larger than the estimate is never a reason: a floor that no estimate saw is real. */
export function judgeReading(input: ReadingInput): JudgedReading {
  const { measuredTokens } = input;
  if (measuredTokens === undefined || !(measuredTokens > 0)) return {};
  if (measuredTokens > OVER_WINDOW * input.windowTokens) return { flag: 'over_window' };
  if (isCumulative(measuredTokens, input.earlier)) return { flag: 'cumulative' };
  if (isPlateau(input, measuredTokens)) return { flag: 'plateau', learntWindowTokens: measuredTokens };
  if (input.isCalibrated && measuredTokens < TRUNCATED_SHARE * input.estimateTokens * input.factor) return { flag: 'truncated' };
  return { size: measuredTokens };
}

/** A counter that adds up all requests so far: within one percent of the sum of two or more of this view's readings. */
function isCumulative(measuredTokens: number, earlier: readonly EarlierReading[]): boolean {
  const ofView = earlier.filter((reading) => reading.isSameView);
  if (ofView.length < 2) return false;
  const sum = ofView.reduce((total, reading) => total + reading.measuredTokens, 0);
  return Math.abs(measuredTokens - sum) <= CUMULATIVE_TOLERANCE * sum;
}

/** Equal over three requests that each grew by five percent: the server cuts. */
function isPlateau(input: ReadingInput, measuredTokens: number): boolean {
  const [last, before] = input.earlier;
  if (!last?.isSameView || !before?.isSameView) return false;
  if (last.measuredTokens !== measuredTokens || before.measuredTokens !== measuredTokens) return false;
  return input.estimateTokens >= PLATEAU_GROWTH * last.estimateTokens && last.estimateTokens >= PLATEAU_GROWTH * before.estimateTokens;
}
