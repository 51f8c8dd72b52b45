// What ullage.fetch takes, passes on, and gives back, against a fetch that plays a script.
import { afterEach, describe, expect, it } from 'vitest';
import { bodyOf, encodeAsk } from '../../../test/support/conversation.ts';
import { answerOf } from '../../../test/support/provider.ts';
import { createUllage, type Fetch, type Ullage, UllageError, type UllageOptions } from '../../index.ts';
import type { Store } from '../../ports/store.ts';
import { memoryStore } from '../../testkit/index.ts';

const open: Ullage[] = [];
afterEach(async () => {
  for (const ullage of open.splice(0)) await ullage.close();
});

function ullageOf(options: Partial<UllageOptions> = {}): Ullage {
  const ullage = createUllage({ store: memoryStore(), api: 'openai-chat', models: { window: 100_000 }, ...options });
  open.push(ullage);
  return ullage;
}

interface Seen {
  readonly input: unknown;
  readonly init: RequestInit | undefined;
}

function below(answer: () => Response | Promise<Response> = () => Response.json(answerOf('openai-chat', 77))) {
  const seen: Seen[] = [];
  const fetch: Fetch = async (input, init) => {
    seen.push({ input, init });
    return answer();
  };
  return { fetch, seen, sent: () => new TextDecoder().decode(seen.at(-1)!.init!.body as Uint8Array) };
}

const URL_CHAT = 'http://upstream.test/v1/chat/completions';
const text = ` { "messages":[{"content":"h\\u00ef 📥", "role":"user"}] ,"model":"m", "seed" : 12345678901234567890, "temperature":1.0,"top_p":1e-2}\n`;
const post = (body: RequestInit['body'], more: RequestInit = {}): RequestInit => ({ method: 'POST', body, ...more });

describe('bodies', () => {
  const utf8 = new TextEncoder().encode(text);
  const forms: Record<string, () => [Parameters<Fetch>[0], RequestInit?]> = {
    'a string': () => [URL_CHAT, post(text)],
    'bytes and a URL': () => [new URL(URL_CHAT), post(utf8)],
    'an ArrayBuffer': () => [URL_CHAT, post(utf8.slice().buffer)],
    'a Blob': () => [URL_CHAT, post(new Blob([utf8]))],
    'a stream': () => [URL_CHAT, { ...post(new Blob([utf8]).stream()), duplex: 'half' } as RequestInit],
    'a Request': () => [new Request(URL_CHAT, post(text))],
    'a Request with another body': () => [new Request(URL_CHAT, post('no')), post(text)],
  };

  it.each(Object.keys(forms))('%s arrives byte for byte', async (form) => {
    const under = below();
    const response = await ullageOf().fetch('k', { fetch: under.fetch })(...forms[form]!());
    expect(under.sent()).toBe(text);
    expect(await response.json()).toEqual(answerOf('openai-chat', 77));
    expect(response.headers.get('x-ullage-session')).toBe('k');
  });

  it('headers and other members are the caller’s own; ours and the length go no further', async () => {
    const under = below();
    const through = ullageOf().fetch(undefined, { fetch: under.fetch });
    const headers = { authorization: 'Bearer sk-secret', 'X-Custom': 'ü'.normalize() };
    await through(URL_CHAT, post(text, { headers, redirect: 'error' }));
    expect(under.seen[0]!.init).toMatchObject({ method: 'POST', redirect: 'error' });
    expect(under.seen[0]!.init!.headers).toBe(headers);
    await through(URL_CHAT, post(text, { headers: { ...headers, 'content-length': '1', 'x-ullage-session': 's' } }));
    expect([...new Headers(under.seen[1]!.init!.headers).keys()]).toEqual(['authorization', 'x-custom']);
    const request = new Request(URL_CHAT, post(text, { headers, redirect: 'manual' }));
    await through(request);
    expect(under.seen[2]!.init).toMatchObject({ method: 'POST', redirect: 'manual' });
    expect(new Headers(under.seen[2]!.init!.headers).get('authorization')).toBe('Bearer sk-secret');
  });
});

it('headers of ours that the upstream sends go no further: another gateway may stand behind it', async () => {
  const headers = { 'x-ullage-outcome': 'compacted; 9->1', 'x-ullage-session': 'theirs', 'x-request-id': 'r' };
  const under = below(() => Response.json(answerOf('openai-chat', 77), { headers }));
  const response = await ullageOf().fetch('k', { fetch: under.fetch })(URL_CHAT, post(text));
  expect(['x-ullage-outcome', 'x-ullage-session', 'x-request-id'].map((name) => response.headers.get(name))).toEqual([null, 'k', 'r']);
});

describe('what is none of ours', () => {
  const others: Record<string, [Parameters<Fetch>[0], RequestInit?]> = {
    'another path': ['http://upstream.test/v1/embeddings', post(text)],
    'a GET': [`${URL_CHAT}`],
    'a stored answer': ['http://upstream.test/v1/responses/resp_1', { method: 'GET' }],
    'a batch': ['http://upstream.test/v1/messages/batches', post(text)],
    'a message of a thread': ['http://upstream.test/v1/threads/t1/messages', post(text)],
    'a form': [URL_CHAT, post(new URLSearchParams({ a: 'b' }))],
    'no body': [URL_CHAT, { method: 'POST' }],
    'no address': ['not an address', post(text)],
  };

  it.each(Object.keys(others))('%s goes to the fetch below as it is', async (name) => {
    const response = new Response('other');
    const under = below(() => response);
    const [input, init] = others[name]!;
    expect(await ullageOf().fetch('k', { fetch: under.fetch })(input, init)).toBe(response);
    expect(under.seen[0]!.input).toBe(input);
    expect(under.seen[0]!.init).toBe(init);
  });

  it.each([
    ['not_json', '{"messages": nope'],
    ['not_this_api', '{"hello":1}'],
    ['not_utf8', new Uint8Array([0x7b, 0xff, 0x7d])],
    ['not_json', '\ufeff{"messages":[]}'],
    ['previous_response_id', JSON.stringify({ model: 'm', input: 'hi', previous_response_id: 'r' })],
  ] as const)('%s: goes out untouched, and says so', async (rule, body) => {
    const under = below();
    const url = rule === 'previous_response_id' ? 'http://upstream.test/v1/responses' : URL_CHAT;
    const response = await ullageOf().fetch('k', { fetch: under.fetch })(url, post(body));
    const sent = under.seen[0]!.init!.body as Uint8Array;
    expect(Buffer.from(sent).equals(typeof body === 'string' ? Buffer.from(body) : body)).toBe(true);
    expect(response.headers.get('x-ullage-outcome')).toBe(`left-alone; ${rule}`);
  });
});

describe('the answer', () => {
  it('is a Response with the status, headers, address and bytes of the one below', async () => {
    const answer = new Response('<html>busy</html>', {
      status: 503,
      statusText: 'Busy',
      headers: [
        ['content-type', 'text/html'],
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=2'],
        ['retry-after', '7'],
      ],
    });
    Object.defineProperty(answer, 'url', { value: URL_CHAT });
    const response = await ullageOf().fetch('k', { fetch: below(() => answer).fetch })(URL_CHAT, post(text));
    expect(response).toBeInstanceOf(Response);
    expect(response).toMatchObject({ status: 503, statusText: 'Busy', url: URL_CHAT, ok: false });
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(response.headers.get('retry-after')).toBe('7');
    expect(await response.text()).toBe('<html>busy</html>');
  });

  it('without a body stays without one', async () => {
    const response = await ullageOf().fetch('k', { fetch: below(() => new Response(null, { status: 204 })).fetch })(URL_CHAT, post(text));
    expect(response.status).toBe(204);
    expect(response.body).toBeNull();
  });

  it('names headers of a body that the fetch below has decoded no more', async () => {
    const coded = () =>
      new Response('{}', { headers: { 'content-encoding': 'gzip', 'content-length': '999', 'content-type': 'application/json' } });
    const response = await ullageOf().fetch('k', { fetch: below(coded).fetch })(URL_CHAT, post(text));
    expect(response.headers.get('content-encoding')).toBeNull();
    expect(response.headers.get('content-length')).toBeNull();
  });

  it('is not there when the network fails: the very same error is thrown', async () => {
    const fault = new TypeError('fetch failed', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) });
    const under = below(() => Promise.reject(fault));
    await expect(ullageOf().fetch('k', { fetch: under.fetch })(URL_CHAT, post(text))).rejects.toBe(fault);
    expect(under.seen).toHaveLength(1);
  });
});

describe('aborts', () => {
  it('before the call: the signal’s own reason, and nothing is sent', async () => {
    const under = below();
    const reason = new Error('enough');
    await expect(ullageOf().fetch('k', { fetch: under.fetch })(URL_CHAT, post(text, { signal: AbortSignal.abort(reason) }))).rejects.toBe(
      reason,
    );
    expect(under.seen).toHaveLength(0);
  });

  it('during the call: the fetch below is told, and what it throws is thrown', async () => {
    const controller = new AbortController();
    const fetch: Fetch = (_, init) =>
      new Promise((_resolve, reject) => {
        init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason));
        controller.abort();
      });
    const call = ullageOf().fetch('k', { fetch })(URL_CHAT, post(text, { signal: controller.signal }));
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('a caller who cancels the body ends the answer below, read or unread', async () => {
    for (const reads of [0, 1]) {
      const cancelled: unknown[] = [];
      const chunk = new TextEncoder().encode('data: {"choices":[{"delta":{"content":"a"}}]}\n\n');
      const endless = () =>
        new Response(
          new ReadableStream({ pull: (controller) => controller.enqueue(chunk), cancel: (reason) => void cancelled.push(reason) }),
          { headers: { 'content-type': 'text/event-stream' } },
        );
      const response = await ullageOf().fetch('k', { fetch: below(endless).fetch })(URL_CHAT, post(text));
      const reader = response.body!.getReader();
      for (let read = 0; read < reads; read++) expect((await reader.read()).value).toEqual(chunk);
      await reader.cancel();
      expect(cancelled).toHaveLength(1);
    }
  });
});

describe('sessions', () => {
  const chat = (ask: string) => JSON.stringify(bodyOf('openai-chat', encodeAsk('openai-chat', ask)));

  it('are named by key, header, or the conversation itself', async () => {
    const under = below();
    const ullage = ullageOf();
    const sessionOf = async (key: string | undefined, headers: Record<string, string> = {}) => {
      const response = await ullage.fetch(key, { fetch: under.fetch })(URL_CHAT, post(chat('hi'), { headers }));
      return response.headers.get('x-ullage-session');
    };
    expect(await sessionOf('chat:42', { 'x-ullage-session': 'other' })).toBe('chat:42');
    expect(await sessionOf(undefined, { 'x-ullage-session': 'mine' })).toBe('mine');
    expect(await sessionOf(undefined, { 'x-session-id': 'ses_1' })).toBe('client:ses_1');
    expect(await sessionOf(undefined)).toMatch(/^auto:openai-chat:[0-9a-f]{40}$/);
  });

  it('of one key are apart for each API, so that no answer of one is rendered for another (F10)', async () => {
    const ullage = ullageOf();
    const under = below();
    for (const path of ['chat/completions', 'messages', 'responses']) {
      const body =
        path === 'responses'
          ? { model: 'm', input: [{ role: 'user', content: 'hi' }] }
          : { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
      const response = await ullage.fetch('k', { fetch: under.fetch })(`http://upstream.test/v1/${path}`, post(JSON.stringify(body)));
      const api = { messages: '@anthropic', responses: '@openai-responses' }[path] ?? '';
      expect(response.headers.get('x-ullage-session')).toBe(`k${api}`);
    }
  });

  it('are not made for what is not kept: no JSON, no messages, state that the server holds, a count (F24)', async () => {
    const store = memoryStore();
    const through = ullageOf({ store }).fetch(undefined, { fetch: below().fetch });
    const messages = [{ role: 'user', content: 'hi' }];
    for (const [path, body] of [
      ['messages', '{"messages": nope'],
      ['chat/completions', '{"hello":1}'],
      ['chat/completions', '{"messages":[]}'],
      ['responses', JSON.stringify({ input: 'hi', previous_response_id: 'r' })],
      ['messages', JSON.stringify({ messages, context_management: { edits: [{ type: 'compact_20260112' }] } })],
      ['messages/count_tokens', JSON.stringify({ messages })],
    ] as const)
      await through(`http://upstream.test/v1/${path}`, post(body));
    expect(await store.listSessions({ tenant: 'local' })).toEqual([]);
    await through(URL_CHAT, post(text));
    expect(await store.listSessions({ tenant: 'local' })).toHaveLength(1);
  });

  it('of the longest key are opened for every API', async () => {
    const through = ullageOf().fetch('x'.repeat(512), { fetch: below().fetch });
    for (const path of ['chat/completions', 'messages', 'responses'])
      expect((await through(`http://upstream.test/v1/${path}`, post(text))).status).toBe(200);
  });

  it('tell the events of all APIs to whoever listens', async () => {
    const ullage = ullageOf({ models: { window: 4_000, maxOutputTokens: 100 }, policy: { tailTokens: 200 } });
    const heard: unknown[] = [];
    ullage.on('compaction-committed', (outcome) => heard.push(outcome));
    const messages = Array.from({ length: 30 }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `word${index} `.repeat(60),
    })).slice(0, 29);
    const answer = () => Response.json(answerOf('anthropic', 900));
    const body = JSON.stringify({ model: 'm', max_tokens: 50, messages });
    await ullage.fetch('k', { fetch: below(answer).fetch })('http://upstream.test/v1/messages', post(body));
    expect(heard).toHaveLength(1);
  });

  it('a store that cannot be opened, or fails later, is no reason not to ask the model (F24)', async () => {
    const broken = (): never => {
      throw new UllageError('store_unavailable', 'gone');
    };
    const opening: Store = { ...memoryStore(), open: async () => broken() };
    const later: Store = { ...memoryStore(), locate: async () => broken(), followRequest: async () => broken() };
    for (const store of [opening, later]) {
      const under = below();
      const response = await ullageOf({ store }).fetch('k', { fetch: under.fetch })(URL_CHAT, post(text));
      expect(response.status).toBe(200);
      expect(under.sent()).toBe(text);
      expect(response.headers.get('x-ullage-outcome')).toBe('left-alone; store_unavailable');
    }
  });

  it('keep no credential (F34)', async () => {
    const store = memoryStore();
    const kept: string[] = [];
    const logged: string[] = [];
    const spied = new Proxy(store, {
      get: (target, name, receiver) => {
        const value: unknown = Reflect.get(target, name, receiver);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]) => {
          kept.push(JSON.stringify(given));
          return (value as (...all: unknown[]) => unknown).apply(target, given);
        };
      },
    });
    const log = { write: (...line: unknown[]) => void logged.push(JSON.stringify(line)) };
    const headers = { authorization: 'Bearer sk-secret-1', 'x-api-key': 'sk-secret-2', cookie: 'sk-secret-3' };
    const under = below(() => Response.json({ error: { message: 'no' } }, { status: 401 }));
    await ullageOf({ store: spied, log }).fetch(undefined, { fetch: under.fetch })(`${URL_CHAT}?key=sk-secret-4`, post(text, { headers }));
    expect(kept.length).toBeGreaterThan(0);
    expect([...kept, ...logged].join('\n')).not.toContain('sk-secret');
  });

  it('refuse what is no key and no fetch', () => {
    const ullage = ullageOf();
    for (const key of ['', 'x'.repeat(513)]) expect(() => ullage.fetch(key)).toThrow(/1 to 512/);
    for (const key of ['half \ud800', 'a\0b']) expect(() => ullage.fetch(key)).toThrow(/well-formed/);
    expect(() => ullage.fetch('k', { fetch: 'no' as unknown as Fetch })).toThrow(/Option fetch/);
  });
});
