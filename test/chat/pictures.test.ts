// Pictures and text documents of a Telegram chat: fetched, checked, stored, seen by the model; and what is told where that cannot be.
import { expect, it, vi } from 'vitest';
import { type TelegramWorld, telegramWorld, USER } from './telegram-world.ts';

/** Real processes on a machine that may be busy. */
const SLOW_MS = 120_000;
vi.setConfig({ testTimeout: SLOW_MS });

/** Begins as a JPEG does; what follows differs by its number. */
function picture(number: number, bytes = 3_000): Buffer {
  return Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.alloc(bytes, `picture ${number} `)]);
}

const base64 = (number: number, bytes?: number): string => picture(number, bytes).toString('base64');

const lastBody = ({ provider }: TelegramWorld): string => JSON.stringify(provider.requests.at(-1)!.body);

async function pictureWorld(profile: object = {}, provider: object = {}): Promise<TelegramWorld> {
  const world = await telegramWorld({ profile, provider: { answer: () => 'I see.', ...provider } });
  for (const number of [1, 2, 3]) world.api.files.set(`p${number}`, picture(number));
  return world;
}

it.each(['openai-chat', 'openai-responses', 'anthropic'] as const)(
  '%s: a picture is seen with its words, and again after a restart',
  async (api) => {
    const world = await pictureWorld({ api });
    const end = world.start();
    world.api.sendPhoto(USER, 'p1', { caption: 'What is this?' });
    expect(await world.untilSaid(USER, 1)).toEqual(['I see.']);
    expect(lastBody(world)).toContain(base64(1));
    expect(lastBody(world)).toContain('What is this?');
    await end();
    world.start();
    world.api.say(USER, 'And its color?');
    await world.untilSaid(USER, 2);
    expect(lastBody(world)).toContain(base64(1));
    expect(world.provider.requests.at(-1)!.status).toBe(200);
    expect(world.api.calls.filter(({ method }) => method === 'getFile')).toHaveLength(1);
    world.api.say(USER, '/status');
    expect((await world.untilSaid(USER, 3))[2]).toMatch(/What fills it, roughly: pictures \d+ %/);
  },
);

it('a picture without words is asked about; an album is one question', async () => {
  const world = await pictureWorld();
  world.api.sendPhoto(USER, 'p1');
  world.api.sendPhoto(USER, 'p2', { media_group_id: 'album' });
  world.api.sendPhoto(USER, 'p3', { media_group_id: 'album', caption: 'Compare them' });
  world.start();
  await world.untilSaid(USER, 2);
  world.api.say(USER, 'Done');
  expect(await world.untilSaid(USER, 3)).toEqual(['I see.', 'I see.', 'I see.']);
  const [first, second] = world.provider.requests.map(({ body }) => JSON.stringify(body));
  expect(first).toContain(base64(1));
  expect(second).toContain(base64(2));
  expect(second).toContain(base64(3));
  expect(second).toContain('Compare them');
});

it('a picture that was being fetched when the bot ended is fetched by the next one, and answered once (F27)', async () => {
  const world = await pictureWorld();
  let fetches = 0;
  world.api.fault = ({ method }) => (method === 'file' && fetches++ < 1 ? { kind: 'cut-before' } : undefined);
  const end = world.start();
  world.api.sendPhoto(USER, 'p1', { caption: 'Look' });
  await world.api.until(() => fetches === 1);
  await end();
  world.start();
  world.api.say(USER, 'Next');
  expect(await world.untilSaid(USER, 2)).toEqual(['I see.', 'I see.']);
  expect(JSON.stringify(world.provider.requests[0]!.body)).toContain(base64(1));
  expect(world.provider.requests).toHaveLength(2);
});

it.each([
  ['a model that takes none', { images: false }, 'p1', 'takes no pictures'],
  ['one that is too large', {}, 'large', 'it has 4.0 MB, and 3.8 MB are taken'],
  ['what is no picture', {}, 'text', 'it is no JPEG, PNG, GIF or WebP picture'],
  ['what Telegram does not give', {}, 'gone', 'Telegram does not give it'],
])('%s: told, with or without words', async (_, profile, id, reason) => {
  const world = await pictureWorld(profile);
  world.api.files.set('large', picture(1, 4_000_000));
  world.api.files.set('text', Buffer.from('MZ, a program'));
  world.start();
  world.api.sendPhoto(USER, id);
  const [alone] = await world.untilSaid(USER, 1);
  expect(alone).toContain(reason);
  expect(world.provider.requests).toHaveLength(0);
  world.api.sendPhoto(USER, id, { caption: 'What is this?' });
  const [, answer, notice] = await world.untilSaid(USER, 3);
  expect(answer).toBe('I see.');
  expect(notice).toContain(reason);
  expect(lastBody(world)).toContain(reason);
  expect(lastBody(world)).toContain('What is this?');
});

it('the token of the bot is in no answer and no log line when a file cannot be fetched (F34)', async () => {
  const world = await pictureWorld();
  world.api.fault = ({ method }) => (method === 'file' ? { kind: 'cut-before' } : undefined);
  world.start();
  world.api.sendPhoto(USER, 'p1');
  expect((await world.untilSaid(USER, 1))[0]).toContain('send it again later');
  expect(world.log()).toContain('A file could not be fetched.');
  expect(world.log()).not.toContain('TEST-token');
});

it.each([
  ['in words that are known', { type: 'media', reason: 'unreadable' }],
  ['in words that are not', { type: 'status', status: 404, body: { error: { message: 'No endpoints found that support image input' } } }],
  [
    'as a fault of its own',
    {
      type: 'status',
      status: 500,
      body: { error: { message: 'image input is not supported - hint: you may need to provide the mmproj' } },
    },
  ],
] as const)(
  'a provider that refuses pictures %s gets the question without, people are told, and the conversation goes on (F23)',
  async (_, fault) => {
    const world = await pictureWorld(
      {},
      { script: ({ body }: { body: object }) => (/image_url/.test(JSON.stringify(body)) ? fault : undefined) },
    );
    world.start();
    world.api.sendPhoto(USER, 'p1', { caption: 'What is this?' });
    const said = await world.untilSaid(USER, 2);
    expect(said[0]).toBe('I see.');
    expect(said[1]).toContain('did not see your picture');
    expect(lastBody(world)).toContain('What is this?');
    world.api.say(USER, 'And now?');
    expect((await world.untilSaid(USER, 3))[2]).toBe('I see.');
    expect(world.provider.requests.at(-1)!.status).toBe(200);
  },
);

it('a conversation with pictures goes on when its model is changed for one that takes none (F30)', async () => {
  let isBlind = false;
  const refusal = { type: 'status', status: 404, body: { error: { message: 'No endpoints found that support image input' } } };
  const script = ({ body }: { body: object }) => (isBlind && /image_url/.test(JSON.stringify(body)) ? refusal : undefined);
  const world = await pictureWorld({}, { script });
  world.start();
  world.api.sendPhoto(USER, 'p1', { caption: 'The port is 8143' });
  await world.untilSaid(USER, 1);
  isBlind = true;
  world.api.say(USER, 'And now?');
  const said = await world.untilSaid(USER, 3);
  expect(said.slice(1)).toEqual(['I see.', expect.stringMatching(/the model takes no pictures, and it has some\..*continuation/)]);
  expect(lastBody(world)).toContain('8143');
  world.api.say(USER, 'And then?');
  expect((await world.untilSaid(USER, 4))[3]).toBe('I see.');
});

it('a text document is read; what is none, or too long, is told', async () => {
  const world = await pictureWorld({ maxMessageChars: 1_000 });
  const { api } = world;
  api.files.set('notes', Buffer.from('Port: 8143 – für alle'));
  api.files.set('latin', Buffer.from('f\xfcr alle', 'latin1'));
  api.files.set('long', Buffer.from('x'.repeat(1_001)));
  world.start();
  api.sendDocument(USER, { file_id: 'notes', file_name: 'notes.md' }, { caption: 'Which port?' });
  await world.untilSaid(USER, 1);
  expect(lastBody(world)).toContain('[The file notes.md]\\nPort: 8143 – für alle');
  api.sendDocument(USER, { file_id: 'latin', file_name: 'a.txt', mime_type: 'text/plain' });
  api.sendDocument(USER, { file_id: 'long', file_name: 'b.txt', mime_type: 'text/plain' });
  api.sendDocument(USER, { file_id: 'notes', file_name: 'c.pdf', mime_type: 'application/pdf' });
  expect((await world.untilSaid(USER, 4)).slice(1)).toEqual([
    'The file a.txt could not be read: it is no text in UTF-8.',
    'The file b.txt could not be read: it has 1001 characters, and 1000 are taken.',
    expect.stringContaining('I cannot read a file of this kind'),
  ]);
});

it('a conversation whose pictures are more than is kept goes on in a continuation with the new one, and that is told (F28)', async () => {
  const bytes = 400_000;
  const world = await pictureWorld({ maxHistoryChars: 1_000_000 });
  for (const number of [1, 2]) world.api.files.set(`p${number}`, picture(number, bytes));
  world.start();
  for (const number of [1, 2]) {
    world.api.sendPhoto(USER, `p${number}`, { caption: `Number ${number}` });
    await world.untilSaid(USER, number);
  }
  world.api.sendPhoto(USER, 'p3', { caption: 'The last one' });
  const said = await world.untilSaid(USER, 4);
  expect(said[3]).toMatch(/could not go on as it was: it has 1\.1 MB with its pictures, and 1\.0 MB are kept\..*continuation/);
  expect(lastBody(world)).toContain(base64(3));
  expect(lastBody(world)).toContain('Number 1');
  expect(lastBody(world).match(/The last one/g)).toHaveLength(1);
  expect(lastBody(world).length).toBeLessThan(100_000);
  world.api.say(USER, 'And now?');
  await world.untilSaid(USER, 5);
});
