// The session objects of a fetch that are in use. They save work and decide nothing, so the oldest may go at any time.
import type { Api } from '../../core/transcript/entry.ts';
import type { Session } from '../../engine/session.ts';
import type { OpenEngine } from '../../engine/ullage.ts';
import type { Log } from '../../ports/log.ts';

/** Each keeps its last body in memory. */
const HELD_SESSIONS = 32;

export interface SessionPlace {
  readonly api: Api;
  /** Names the upstream: what is learnt of its windows is kept under it. */
  readonly route: string;
}

export class OpenSessions {
  /** For what goes wrong on the way. */
  readonly log: Log | undefined;
  private readonly engine: Pick<OpenEngine, 'sessionOf'>;
  /** The least recently used first. */
  private readonly held = new Map<string, Promise<Session>>();

  constructor(engine: Pick<OpenEngine, 'sessionOf'>, log?: Log) {
    this.engine = engine;
    this.log = log;
  }

  /** Throws what the engine throws; nothing of that is held. */
  async open(key: string, place: SessionPlace): Promise<Session> {
    const id = JSON.stringify([key, place.api, place.route]);
    const session = this.held.get(id) ?? this.engine.sessionOf(key, place);
    this.held.delete(id);
    this.held.set(id, session);
    for (const oldest of this.held.keys()) {
      if (this.held.size <= HELD_SESSIONS) break;
      this.held.delete(oldest);
    }
    try {
      return await session;
    } catch (error) {
      if (this.held.get(id) === session) this.held.delete(id);
      throw error;
    }
  }

  /** After the store was closed: the next ones open it again. */
  clear(): void {
    this.held.clear();
  }
}
