// "The input fits, the output you asked for does not": found by arithmetic where the numbers are printed, else by wording. The same
// sentences with an input over the window are real overflows.
import { agreeing, type OverflowNumbers } from './overflow.ts';

/** What the arithmetic of an error says. */
export type CapFinding =
  | { readonly kind: 'output-cap'; readonly available?: number; readonly limit?: number }
  | ({ readonly kind: 'overflow' } & OverflowNumbers);

interface Split {
  readonly window: number;
  readonly input: number;
  readonly output: number;
  /** The input was computed from the other two numbers and proves nothing (vLLM's "at least"). */
  readonly isDerived?: boolean;
}

const WINDOW = /(?:maximum context length (?:is|of)|must be <=) (\d+)/;
/** "(A in the messages, F in the functions, B in the completion)", "(A of text input, B of tool input, C in the output)". */
const PARTS =
  /\b(\d{1,12}) (?:tokens )?(?:in|of|for|from) (?:the |your )?(input messages|messages|functions|prompt|text input|tool input|completion|output)\b/g;
const VLLM = /requested (\d+) output tokens and your prompt contains (at least )?(\d+) input tokens/;
const VLLM_REST = /is too large: (\d+)\. this model's maximum context length is \d+ tokens and your request has (\d+) input tokens/;
const TGI = /given: (\d+) `?inputs`? tokens and (\d+) `?max_new_tokens/;
const ANTHROPIC = /input length and .?max_tokens.? exceed context limit: (\d+) \+ (\d+) > (\d+)/;
const ANTHROPIC_REST = /max_tokens: (\d+) > context_window: (\d+) - input_tokens: (\d+)/;

/** The most output a model ever gives. */
const LIMITS: readonly RegExp[] = [
  /max_tokens: \d+ > (\d+), which is the maximum allowed number of output tokens/,
  /maximum tokens you requested exceeds the model limit of (\d+)/,
  /supports at most (\d+) (?:completion|output) tokens/,
  /range of .?max_(?:completion_|output_)?tokens.? (?:should be|is) \[\d+, ?(\d+)\]/,
  /max_(?:completion_|output_)?tokens.? is limited to (\d+)/,
  /maximum output tokens \(?(\d+)/,
  /output (?:token )?limit (?:of|is) (\d+)/,
];
/** Vertex prints the first number that is no longer legal. */
const EXCLUSIVE_LIMIT = /maxoutputtokens[^.]{0,120}? to (\d+) \(exclusive\)/;

const CAP_OPTION = /\bmax_?(?:completion_?|output_?|new_?)?tokens\b/;
const CAP_WORDS = /too large|exceed|must be (?:less|at most|<=)|greater than|out of range|limited to|valid range/;
const INPUT_WORDS = /prompt|input|message|context|reduce the length|must be at least 1/;
const INPUT_AND_CAP = /input length and .?max_tokens.? exceed/;

/** Judges an error by its numbers and words. `text` is normalised. */
export function findOutputCap(
  text: string,
  known: { readonly ownTokens?: number; readonly speaksOfRate: boolean },
): CapFinding | undefined {
  const split = splitOf(text);
  if (split) return judgeSplit(split, known.ownTokens);
  for (const pattern of LIMITS) {
    const match = pattern.exec(text);
    if (match) return { kind: 'output-cap', limit: Number(match[1]) };
  }
  const exclusive = EXCLUSIVE_LIMIT.exec(text);
  if (exclusive) return { kind: 'output-cap', limit: Number(exclusive[1]) - 1 };
  const speaksOfCap = !known.speaksOfRate && CAP_OPTION.test(text) && CAP_WORDS.test(text) && !INPUT_WORDS.test(text);
  return speaksOfCap || INPUT_AND_CAP.test(text) ? { kind: 'output-cap' } : undefined;
}

function judgeSplit({ window, input, output, isDerived }: Split, ownTokens: number | undefined): CapFinding | undefined {
  if (isDerived) {
    const isOwnOver = ownTokens !== undefined && ownTokens >= window;
    if (isOwnOver || output <= 1 || input >= window) return { kind: 'overflow', ...agreeing(window, undefined) };
    return { kind: 'output-cap', available: Math.floor(output / 2) };
  }
  if (input >= window) return { kind: 'overflow', ...agreeing(window, input) };
  // Numbers that explain nothing: left to the wordings.
  return input + output > window ? { kind: 'output-cap', available: window - input } : undefined;
}

function splitOf(text: string): Split | undefined {
  const anthropic = numbersOf(ANTHROPIC, text);
  if (anthropic) return { input: anthropic[0]!, output: anthropic[1]!, window: anthropic[2]! };
  const rest = numbersOf(ANTHROPIC_REST, text);
  if (rest) return { output: rest[0]!, window: rest[1]!, input: rest[2]! };
  const window = numbersOf(WINDOW, text)?.[0];
  if (window === undefined) return undefined;
  const vllm = VLLM.exec(text);
  if (vllm) return { window, output: Number(vllm[1]), input: Number(vllm[3]), isDerived: vllm[2] !== undefined };
  const vllmRest = numbersOf(VLLM_REST, text);
  if (vllmRest) return { window, output: vllmRest[0]!, input: vllmRest[1]! };
  const tgi = numbersOf(TGI, text);
  if (tgi) return { window, input: tgi[0]!, output: tgi[1]! };
  return partsOf(window, text);
}

function partsOf(window: number, text: string): Split | undefined {
  let input = 0;
  let output: number | undefined;
  for (const [, digits, place] of text.matchAll(PARTS)) {
    if (place === 'completion' || place === 'output') output = Number(digits);
    else input += Number(digits);
  }
  return output === undefined || input === 0 ? undefined : { window, input, output };
}

function numbersOf(pattern: RegExp, text: string): readonly number[] | undefined {
  return pattern.exec(text)?.slice(1).map(Number);
}
