// The tables, as numbered forward migrations. A released step is never edited: a change is a new step, and a new column has a default
// that rows written before it read as. Everything is reached through (tenant, id); the short integer ids never leave the adapter.

/** One step. `version` is the value of `PRAGMA user_version` after it. */
export interface Migration {
  readonly version: number;
  readonly sql: string;
}

/** Marks a file as one of ours ('Ullg'), so that another program's database is never migrated. */
export const APPLICATION_ID = 0x556c6c67;

const SESSIONS = `
CREATE TABLE sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant TEXT NOT NULL,
  session_id TEXT NOT NULL,
  key TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  last_request_at_ms INTEGER NOT NULL,
  current_conversation_id TEXT,
  UNIQUE (tenant, session_id),
  UNIQUE (tenant, key)
);
CREATE INDEX sessions_by_age ON sessions (last_request_at_ms);
CREATE TABLE conversations (
  id INTEGER PRIMARY KEY,
  session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
  tenant TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  api TEXT NOT NULL,
  guard_key TEXT NOT NULL,
  parent_id TEXT,
  origin TEXT NOT NULL,
  tip_chain TEXT,
  tip_position INTEGER,
  tip_view_id TEXT NOT NULL DEFAULT '',
  created_at_ms INTEGER NOT NULL,
  successor_id TEXT,
  last_model TEXT,
  last_budget TEXT,
  UNIQUE (tenant, conversation_id)
);
CREATE INDEX conversations_by_session ON conversations (session);
CREATE INDEX conversations_by_guard ON conversations (tenant, guard_key);
`;

/** A tree: `parent` is the row of the entry before it. `texts` holds the raw JSON apart, so that the tree stays small. */
const ENTRIES = `
CREATE TABLE entries (
  id INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  parent INTEGER,
  chain TEXT NOT NULL,
  position INTEGER NOT NULL,
  conversation INTEGER NOT NULL,
  is_branch INTEGER NOT NULL,
  fingerprint TEXT NOT NULL,
  role TEXT NOT NULL,
  tokens INTEGER NOT NULL,
  view_id TEXT,
  at_ms INTEGER NOT NULL,
  text INTEGER,
  size_bytes INTEGER NOT NULL,
  is_indexed INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX entries_by_chain ON entries (session, chain);
CREATE INDEX entries_to_index ON entries (session, id) WHERE is_indexed = 0 AND text IS NOT NULL;
CREATE TABLE texts (id INTEGER PRIMARY KEY, raw TEXT NOT NULL);
`;

/** Texts of an append that takes several transactions, until the last one links them to their entries. */
const STAGED_TEXTS = `
CREATE TABLE staged_texts (
  session INTEGER NOT NULL,
  chain TEXT NOT NULL,
  text INTEGER NOT NULL,
  PRIMARY KEY (session, chain)
) WITHOUT ROWID;
`;

const DECISIONS = `
CREATE TABLE guards (
  tenant TEXT NOT NULL,
  guard_key TEXT NOT NULL,
  version INTEGER NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (tenant, guard_key)
) WITHOUT ROWID;
CREATE TABLE views (
  id INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  tenant TEXT NOT NULL,
  view_id TEXT NOT NULL,
  base_view_id TEXT,
  kind TEXT NOT NULL,
  cover_position INTEGER,
  cover_chain TEXT,
  watermark_position INTEGER NOT NULL,
  watermark_chain TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  refused_fold TEXT,
  has_fold INTEGER NOT NULL,
  body TEXT NOT NULL,
  UNIQUE (tenant, view_id)
);
CREATE INDEX views_by_session ON views (session);
CREATE TABLE outcomes (
  id INTEGER PRIMARY KEY,
  session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
  outcome TEXT NOT NULL
);
CREATE INDEX outcomes_by_session ON outcomes (session, id);
CREATE TABLE operations (
  tenant TEXT NOT NULL,
  operation_id TEXT NOT NULL,
  session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
  digest TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  PRIMARY KEY (tenant, operation_id)
) WITHOUT ROWID;
CREATE INDEX operations_by_age ON operations (at_ms);
CREATE INDEX operations_by_session ON operations (session);
`;

const OBSERVATIONS = `
CREATE TABLE anchors (
  id INTEGER PRIMARY KEY,
  conversation INTEGER NOT NULL REFERENCES conversations ON DELETE CASCADE,
  model TEXT NOT NULL,
  tip TEXT NOT NULL,
  anchor TEXT NOT NULL,
  UNIQUE (conversation, model, tip)
);
CREATE TABLE calibrations (
  id INTEGER PRIMARY KEY,
  route TEXT NOT NULL,
  model TEXT NOT NULL,
  factor REAL NOT NULL,
  samples INTEGER NOT NULL,
  window_tokens INTEGER,
  UNIQUE (route, model)
);
CREATE TABLE pins (
  id INTEGER PRIMARY KEY,
  conversation INTEGER NOT NULL REFERENCES conversations ON DELETE CASCADE,
  pin_id TEXT NOT NULL,
  text TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  placed_at TEXT,
  UNIQUE (conversation, pin_id)
);
`;

/**
 * `scope` holds one word, the session, so that a search reads no other session's rows. `trash` names sessions that are gone for every
 * question and whose rows are still being removed.
 */
const SEARCH = `
CREATE VIRTUAL TABLE entry_words USING fts5 (scope, text, tokenize = 'unicode61 remove_diacritics 2');
CREATE TABLE trash (session INTEGER PRIMARY KEY);
`;

export const MIGRATIONS: readonly Migration[] = [
  { version: 1, sql: [SESSIONS, ENTRIES, STAGED_TEXTS, DECISIONS, OBSERVATIONS, SEARCH].join('') },
];
