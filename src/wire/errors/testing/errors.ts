// How the tests of the classifier write errors.
import { classifyError } from '../classify.ts';

/** A parsed body behind a 400. */
export const status400 = (body: unknown) => ({ status: 400, body });

/** An error of the Anthropic API. */
export const anthropic = (message: string, type = 'invalid_request_error', status = 400) => ({
  status,
  body: { type: 'error', error: { type, message } },
});

/** An error of the OpenAI APIs. */
export const openai = (message: string, code: string | null = null, status = 400) => ({
  status,
  body: { error: { message, type: 'invalid_request_error', param: null, code } },
});

/** ownTokens: the caller's estimate, large enough that a guess would fall for it. */
export function classOf(error: unknown, ownTokens = 190_000, windowTokens = 200_000) {
  const { text: _, status: __, code: ___, ...rest } = classifyError({ error, ownTokens, windowTokens });
  return rest;
}
