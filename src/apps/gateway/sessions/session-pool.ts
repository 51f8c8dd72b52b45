// One engine for each (tenant, API) over one store, and the session objects in use: the least recently used go, by number and by bytes.
import { UllageError } from '../../../core/errors.ts';
import type { Api } from '../../../core/transcript/entry.ts';
import { createUllage } from '../../../create-ullage.ts';
import type { UllageOptions } from '../../../engine/options.ts';
import type { Session } from '../../../engine/session.ts';
import type { Ullage } from '../../../engine/ullage.ts';
import type { ConversationRow, SessionRow, Store } from '../../../ports/store.ts';
import type { GatewayLimits } from '../options.ts';

export interface SessionPoolOptions {
  readonly store: Store;
  readonly limits: Pick<GatewayLimits, 'maxSessions' | 'maxSessionBytes'>;
  /** Options of every engine; `route` names the upstream of an API. */
  readonly engine: Pick<UllageOptions, 'models' | 'policy' | 'clock' | 'log' | 'summarizer'>;
  readonly routeOf: (api: Api) => string;
  /** Told once of each new engine. */
  readonly onEngine: (tenant: string, ullage: Ullage) => void;
}

export interface SessionPlace {
  readonly tenant: string;
  readonly api: Api;
  readonly key: string;
}

/** A session that is stored already. */
export interface KnownSession {
  readonly row: SessionRow;
  readonly conversations: readonly ConversationRow[];
  readonly session: Session;
}

interface Held {
  readonly place: SessionPlace;
  readonly session: Promise<Session>;
  /** Of the last body: what a session object keeps in memory is about as large. */
  sizeBytes: number;
}

export class SessionPool {
  private readonly options: SessionPoolOptions;
  private readonly engines = new Map<string, Ullage>();
  /** The least recently used first. */
  private readonly held = new Map<string, Held>();
  private heldBytes = 0;

  constructor(options: SessionPoolOptions) {
    this.options = options;
  }

  /** Opens or creates it; `sizeBytes` is of the body that comes with it. Throws what the store throws, and option_invalid for a key. */
  async open(place: SessionPlace, sizeBytes: number): Promise<Session> {
    const id = `${place.tenant}\0${place.api}\0${place.key}`;
    const known = this.held.get(id);
    if (known) this.forget(id, known);
    const held = known ?? { place, session: this.engine(place).session(place.key), sizeBytes: 0 };
    held.sizeBytes = Math.max(sizeBytes, held.sizeBytes);
    this.held.set(id, held);
    this.heldBytes += held.sizeBytes;
    this.evict(id);
    try {
      return await held.session;
    } catch (error) {
      if (this.held.get(id) === held) this.forget(id, held);
      throw error;
    }
  }

  /** Never creates one. Throws session_not_found, also for what belongs to another tenant. */
  async find(tenant: string, key: string): Promise<KnownSession> {
    const { store } = this.options;
    const row = await store.findSession({ tenant, key });
    if (!row) throw new UllageError('session_not_found', `There is no session ${JSON.stringify(key.slice(0, 100))}.`);
    const conversations = await store.conversations({ tenant, sessionId: row.sessionId });
    const current = conversations.find(({ conversationId }) => conversationId === row.currentConversationId) ?? conversations.at(-1);
    const session = await this.open({ tenant, key, api: current?.api ?? 'openai-chat' }, 0);
    return { row, conversations, session };
  }

  /** After a deletion: nothing of it stays in memory. */
  drop(tenant: string, key: string): void {
    for (const [id, held] of this.held) if (held.place.tenant === tenant && held.place.key === key) this.forget(id, held);
  }

  get size(): number {
    return this.held.size;
  }

  private engine({ tenant, api }: SessionPlace): Ullage {
    const id = `${tenant}\0${api}`;
    const known = this.engines.get(id);
    if (known) return known;
    const { store, engine, routeOf, onEngine } = this.options;
    const ullage = createUllage({ ...engine, store, tenant, api, route: routeOf(api) });
    this.engines.set(id, ullage);
    onEngine(tenant, ullage);
    return ullage;
  }

  private evict(newest: string): void {
    const { maxSessions, maxSessionBytes } = this.options.limits;
    for (const [id, held] of this.held) {
      if (id === newest || (this.held.size <= maxSessions && this.heldBytes <= maxSessionBytes)) return;
      this.forget(id, held);
    }
  }

  private forget(id: string, held: Held): void {
    this.held.delete(id);
    this.heldBytes -= held.sizeBytes;
  }
}
