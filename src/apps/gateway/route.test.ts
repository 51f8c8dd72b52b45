import { describe, expect, test } from 'vitest';
import { routeOf } from './route.ts';

const route = (target: string, method = 'POST', headers = {}) => routeOf({ method, target, headers });

describe('a path', () => {
  test.each([
    ['/v1/chat/completions', 'openai-chat', '/v1/chat/completions', undefined],
    ['/v1/responses?a=b', 'openai-responses', '/v1/responses?a=b', undefined],
    ['/v1/messages?beta=true', 'anthropic', '/v1/messages?beta=true', undefined],
    ['/s/my%20one/v1/messages', 'anthropic', '/v1/messages', 'my one'],
    ['/s/a%2Fb/v1/messages', 'anthropic', '/v1/messages', 'a/b'],
    ['/s/one/chat/completions', 'openai-chat', '/v1/chat/completions', 'one'],
    ['/messages', 'anthropic', '/v1/messages', undefined],
    ['//v1/messages', 'anthropic', '/v1/messages', undefined],
    ['http://localhost:4747/v1/responses', 'openai-responses', '/v1/responses', undefined],
  ])('%s is a request of %s', (target, api, path, pathSession) => {
    expect(route(target)).toMatchObject({ kind: 'model', exchange: 'generate', api, path, pathSession });
  });

  test('count_tokens is counted', () => {
    expect(route('/v1/messages/count_tokens')).toMatchObject({ kind: 'model', exchange: 'count-tokens', api: 'anthropic' });
  });

  test.each([
    ['/v1/models', 'GET', {}, 'openai'],
    ['/v1/models', 'GET', { 'x-api-key': 'k' }, 'anthropic'],
    ['/v1/models', 'GET', { 'anthropic-version': '1' }, 'anthropic'],
    ['/v1/messages', 'GET', {}, 'anthropic'],
    ['/v1/messages/batches', 'POST', {}, 'anthropic'],
    ['/v1/messagesque', 'POST', {}, 'openai'],
    ['/v1/models', 'GET', { 'chatgpt-account-id': 'a' }, 'chatgpt'],
    ['/s/one/v1/embeddings', 'POST', {}, 'openai'],
    ['/v1/chat/completions', 'DELETE', {}, 'openai'],
  ])('%s by %s with %j goes through to %s', (target, method, headers, upstream) => {
    expect(route(target, method, headers)).toMatchObject({ kind: 'pass', upstream });
  });

  test.each([
    ['/metrics', 'own'],
    ['/healthz?x', 'own'],
    ['/ullage/v1/sessions', 'own'],
    ['/ullage', 'own'],
    ['/ullageous', 'pass'],
    ['/s/one', 'hello'],
    ['/', 'hello'],
    ['http://localhost', 'hello'],
    ['/s/%ff/v1/messages', 'bad'],
    ['*', 'bad'],
    ['', 'bad'],
  ])('%j is %s', (target, kind) => {
    expect(route(target, 'GET').kind).toBe(kind);
  });
});
