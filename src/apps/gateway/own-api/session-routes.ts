// Sessions over HTTP: what is stored of them, and what a person may do with them.
import { Hono } from 'hono';
import { jsonBody, type OwnApiContext, type OwnEnv, sessionOf } from './environment.ts';
import { entriesOf, foldsOf, viewOf } from './reading.ts';
import {
  checked,
  compactBody,
  emptyBody,
  entriesQuery,
  exportQuery,
  listQuery,
  outcomesQuery,
  pinBody,
  readQuery,
  searchQuery,
} from './schemas.ts';

const SHOWN_OUTCOMES = 10;

export function sessionRoutes(api: OwnApiContext): Hono<OwnEnv> {
  const app = new Hono<OwnEnv>();
  addReading(app, api);
  addActing(app, api);
  return app;
}

function addReading(app: Hono<OwnEnv>, api: OwnApiContext): void {
  app.get('/', async (c) => {
    const { limit } = checked(listQuery, c.req.query());
    return c.json({ sessions: await api.store.listSessions({ tenant: c.env.tenant, limit }) });
  });
  app.get('/:key', async (c) => {
    const { row, conversations, session } = await sessionOf(api, c);
    const [guard, outcomes] = await Promise.all([session.guard(), session.outcomes({ limit: SHOWN_OUTCOMES })]);
    const pins = conversations.length > 0 ? await session.pins() : [];
    const current = conversations.find(({ conversationId }) => conversationId === row.currentConversationId);
    return c.json({ session: row, conversations, context: contextOf(current?.lastBudget), guard, pins, outcomes });
  });
  app.get('/:key/entries', async (c) => c.json(await entriesOf(api, await sessionOf(api, c), checked(entriesQuery, c.req.query()))));
  app.get('/:key/view', async (c) => c.json(await viewOf(api, await sessionOf(api, c))));
  app.get('/:key/folds', async (c) => c.json(await foldsOf(api, await sessionOf(api, c))));
  app.get('/:key/outcomes', async (c) => {
    const { session } = await sessionOf(api, c);
    return c.json({ outcomes: await session.outcomes(checked(outcomesQuery, c.req.query())) });
  });
  app.get('/:key/guard', async (c) => c.json({ guard: await (await sessionOf(api, c)).session.guard() }));
  app.get('/:key/pins', async (c) => c.json({ pins: await (await sessionOf(api, c)).session.pins() }));
  app.get('/:key/search', async (c) => {
    const { q, limit } = checked(searchQuery, c.req.query());
    const { session } = await sessionOf(api, c);
    return c.json({ hits: await session.search(q, { limit }) });
  });
  app.get('/:key/read/:handle', async (c) => {
    const { session } = await sessionOf(api, c);
    const handle = c.req.param('handle');
    return c.json({ handle, text: await session.read(handle, checked(readQuery, c.req.query())) });
  });
  app.get('/:key/export', async (c) => {
    const { format, compacted } = checked(exportQuery, c.req.query());
    const { session } = await sessionOf(api, c);
    return c.body(await session.export({ format, compacted: compacted === 'true' }), 200, { 'content-type': 'application/json' });
  });
}

function addActing(app: Hono<OwnEnv>, api: OwnApiContext): void {
  app.post('/:key/compact', async (c) => {
    const options = checked(compactBody, await jsonBody(c));
    const { session } = await sessionOf(api, c);
    const outcome = await session.compact(options);
    api.events.settle(outcome.attemptId);
    return c.json({ outcome });
  });
  app.post('/:key/undo', async (c) => {
    checked(emptyBody, await jsonBody(c));
    return c.json({ undone: await (await sessionOf(api, c)).session.undo() });
  });
  app.post('/:key/pins', async (c) => {
    const { text } = checked(pinBody, await jsonBody(c));
    return c.json({ pin: await (await sessionOf(api, c)).session.pin(text) }, 201);
  });
  app.delete('/:key/pins/:pin', async (c) => {
    const { session } = await sessionOf(api, c);
    return c.json({ isRemoved: await session.unpin(c.req.param('pin')) });
  });
  app.delete('/:key', async (c) => {
    const { row, session } = await sessionOf(api, c);
    const { entries } = await session.delete();
    api.pool.drop(c.env.tenant, row.key);
    return c.json({ isDeleted: true, entries });
  });
}

/** Window, threshold and similar of the newest request, as the engine stored it. */
function contextOf(lastBudget: string | undefined): unknown {
  return lastBudget === undefined ? undefined : JSON.parse(lastBudget);
}
