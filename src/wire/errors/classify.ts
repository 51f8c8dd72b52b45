// One pure classifier of provider errors. The rules are asked in order and the first answer holds; a class that names a cause stands
// before one that guesses. An unknown error is `other`: it changes nothing.
import type { ErrorBase, ErrorClass, ErrorInput } from '../../core/provider-error.ts';
import * as words from './other-classes.ts';
import { findOutputCap } from './output-cap.ts';
import { findOverflow, normalizeText } from './overflow.ts';
import { pixelLimitOf, sizeLimitOf } from './size-limits.ts';
import { type ErrorFacts, unwrapError } from './unwrap.ts';
import { retryAfterOfText } from './unwrap-fields.ts';

interface Case {
  readonly input: ErrorInput;
  readonly facts: ErrorFacts;
  /** The provider's text, normalised. */
  readonly text: string;
  readonly speaksOfRate: boolean;
  readonly base: ErrorBase;
}

type Rule = (given: Case) => ErrorClass | undefined;

/** The window of accounts without Anthropic's long-context tier; the error does not print it. */
const STANDARD_TIER_TOKENS = 200_000;
/** A 400 that says nothing is suspected above this share of the window; a lost connection above the second. */
const SUSPECT_SHARE = 0.4;
const SUSPECT_GATEWAY_SHARE = 0.6;
/** Shorter messages ("Error", "Bad Request") say nothing. */
const GENERIC_TEXT_LENGTH = 30;

const RULES: readonly Rule[] = [
  tierGate,
  singleRequestOverRate,
  plain('policy', words.POLICY_CODES, [words.POLICY_WORDS]),
  plain('thinking-binding', words.BINDING_CODES, [words.BINDING_WORDS]),
  media,
  plain('structure', words.STRUCTURE_CODES, words.STRUCTURE_WORDS),
  outputCap,
  overflow,
  payload,
  auth,
  suspectedOverflow,
  rate,
];

/**
 * What an error means for the context. Pure and total: any value may be passed, nothing is thrown, and what is not recognised is
 * `other`. `limit` of an overflow is only ever a printed window.
 */
export function classifyError(input: ErrorInput): ErrorClass {
  const facts = unwrapError(input.error);
  const text = normalizeText(facts.text);
  const code = facts.codes[0];
  const base: ErrorBase = {
    ...(facts.status === undefined ? {} : { status: facts.status }),
    ...(code === undefined ? {} : { code }),
    text: facts.text,
  };
  const given: Case = { input, facts, text, speaksOfRate: words.RATE_WORDS.test(text) || hasCode(facts, words.RATE_CODES), base };
  for (const rule of RULES) {
    const found = rule(given);
    if (found) return found;
  }
  return { kind: 'other', ...base };
}

function plain(kind: 'policy' | 'thinking-binding' | 'structure', codes: RegExp, patterns: readonly RegExp[]): Rule {
  return ({ facts, text, base }) => {
    const isServerFault = facts.status !== undefined && facts.status >= 500;
    const isIt = hasCode(facts, codes) || (!isServerFault && patterns.some((pattern) => pattern.test(text)));
    return isIt ? { kind, ...base } : undefined;
  };
}

/** The account lacks the 1M tier (a smaller request passes), or the beta header (dropping it helps, size does not matter). */
function tierGate({ text, facts, input, base }: Case): ErrorClass | undefined {
  if (text.includes('long context beta') && text.includes('not yet available')) return { kind: 'other', ...base };
  if (facts.status !== 429 || !text.includes('extra usage') || !text.includes('long context')) return undefined;
  return { kind: 'single-request-over-rate', limit: STANDARD_TIER_TOKENS, ...requested(input.ownTokens), ...base };
}

function singleRequestOverRate({ text, speaksOfRate, base }: Case): ErrorClass | undefined {
  if (!speaksOfRate) return undefined;
  const limit = /\blimit:? (\d+)/.exec(text)?.[1];
  const asked = /\brequested:? (\d+)/.exec(text)?.[1];
  if (limit === undefined || asked === undefined || Number(asked) <= Number(limit)) return undefined;
  return { kind: 'single-request-over-rate', limit: Number(limit), requested: Number(asked), ...base };
}

function media({ text, facts, base }: Case): ErrorClass | undefined {
  if (!hasCode(facts, words.MEDIA_CODES) && !words.MEDIA_WORDS.test(text)) return undefined;
  const limitBytes = sizeLimitOf(text);
  const limitPx = pixelLimitOf(text);
  return { kind: 'media', ...(limitBytes === undefined ? {} : { limitBytes }), ...(limitPx === undefined ? {} : { limitPx }), ...base };
}

function outputCap({ text, input, speaksOfRate, base }: Case): ErrorClass | undefined {
  const found = findOutputCap(text, { ownTokens: input.ownTokens, speaksOfRate });
  return found && { ...found, ...base };
}

function overflow({ text, facts, speaksOfRate, base }: Case): ErrorClass | undefined {
  const numbers = findOverflow(text, facts, speaksOfRate);
  if (numbers) return { kind: 'overflow', ...numbers, ...base };
  const isAboutTokens = facts.status === 413 && !speaksOfRate && words.TOKEN_WORDS.test(text);
  return isAboutTokens ? { kind: 'overflow', ...base } : undefined;
}

function payload({ text, facts, speaksOfRate, base }: Case): ErrorClass | undefined {
  const isPayload = (facts.status === 413 && !speaksOfRate) || hasCode(facts, words.PAYLOAD_CODES) || words.PAYLOAD_WORDS.test(text);
  if (!isPayload) return undefined;
  const limitBytes = sizeLimitOf(text);
  return { kind: 'payload', ...(limitBytes === undefined ? {} : { limitBytes }), ...base };
}

function auth({ text, facts, base }: Case): ErrorClass | undefined {
  const { status } = facts;
  const isAuth = status === 401 || status === 402 || status === 403 || hasCode(facts, words.AUTH_CODES) || words.AUTH_WORDS.test(text);
  return isAuth ? { kind: 'auth', ...base } : undefined;
}

function rate({ text, facts, speaksOfRate, base }: Case): ErrorClass | undefined {
  const isStatus = facts.status !== undefined && words.RATE_STATUSES.has(facts.status);
  if (!isStatus && !speaksOfRate) return undefined;
  const retryAfterMs = facts.retryAfterMs ?? retryAfterOfText(text);
  return { kind: 'rate', ...(retryAfterMs === undefined ? {} : { retryAfterMs }), ...base };
}

function suspectedOverflow({ text, facts, input, speaksOfRate, base }: Case): ErrorClass | undefined {
  const { ownTokens, windowTokens, isReasoningModel } = input;
  if (speaksOfRate || ownTokens === undefined || windowTokens === undefined || windowTokens <= 0) return undefined;
  const share = ownTokens / windowTokens;
  const saysNothing = text.length < GENERIC_TEXT_LENGTH || text.includes('(no body)');
  if (facts.status === 400 && saysNothing && share > SUSPECT_SHARE) return { kind: 'suspected-overflow', ...base };
  const isGateway = facts.status !== undefined && facts.status >= 500 && words.GATEWAY_WORDS.test(text);
  const isLost = words.DISCONNECT_WORDS.test(text) || facts.codes.includes('ECONNRESET');
  const isCut = (isGateway || (facts.status === undefined && isLost)) && !words.TLS_WORDS.test(text);
  return isCut && !isReasoningModel && share > SUSPECT_GATEWAY_SHARE ? { kind: 'suspected-overflow', ...base } : undefined;
}

function hasCode(facts: ErrorFacts, codes: RegExp): boolean {
  return facts.codes.some((code) => codes.test(code));
}

function requested(ownTokens: number | undefined): { readonly requested?: number } {
  return ownTokens === undefined ? {} : { requested: ownTokens };
}
