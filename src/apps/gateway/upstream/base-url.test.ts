import { expect, test } from 'vitest';
import { joinPath, parseBaseUrl } from './base-url.ts';

test.each([
  ['https://api.openai.com', '/v1/responses', '/v1/responses'],
  ['https://api.openai.com/', '/v1/responses', '/v1/responses'],
  ['https://openrouter.ai/api/v1', '/v1/chat/completions', '/api/v1/chat/completions'],
  ['http://127.0.0.1:11434/v1/', '/v1/chat/completions?x=1', '/v1/chat/completions?x=1'],
  ['https://api.z.ai/api/paas/v4', '/v1/chat/completions', '/api/paas/v4/chat/completions'],
  ['https://generativelanguage.googleapis.com/v1beta/openai', '/v1/models', '/v1beta/openai/models'],
  ['https://api.deepseek.com/anthropic', '/v1/messages', '/anthropic/v1/messages'],
  ['https://chatgpt.com/backend-api/codex', '/v1/responses', '/backend-api/codex/responses'],
  ['https://x.openai.azure.com/openai/v1?api-version=1', '/v1/responses', '/openai/v1/responses?api-version=1'],
  ['https://x.openai.azure.com/openai/v1?api-version=1', '/v1/responses?a=b', '/openai/v1/responses?a=b&api-version=1'],
  ['https://api.openai.com/v1', '/v10/x', '/v1/v10/x'],
])('%s and %s are %s', (base, path, joined) => {
  expect(joinPath(parseBaseUrl('--upstream-openai', base), path)).toBe(joined);
});

test.each(['', 'api.openai.com', 'ftp://host', 'https://me:word@host/v1'])('%j is refused', (text) => {
  expect(() => parseBaseUrl('--upstream-openai', text)).toThrow(expect.objectContaining({ code: 'option_invalid' }));
});
