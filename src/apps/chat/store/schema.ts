// The chat's own tables. Numbered steps forward; each runs once, in one transaction.

export const MIGRATIONS: readonly string[] = [
  `
  -- What a person talks in. The lease says which process answers now; a fence that has moved on stops the one before it.
  CREATE TABLE session (
    key TEXT PRIMARY KEY,
    generation INTEGER NOT NULL DEFAULT 1,
    epoch INTEGER NOT NULL DEFAULT 1,
    owner TEXT,
    fence INTEGER NOT NULL DEFAULT 0,
    expires_at_ms INTEGER NOT NULL DEFAULT 0,
    reading TEXT
  ) STRICT;

  -- What came in, once each, in the order of arrival.
  CREATE TABLE inbox (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    source TEXT NOT NULL,
    update_id INTEGER NOT NULL,
    session TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    address TEXT NOT NULL,
    state TEXT NOT NULL,
    UNIQUE (source, update_id)
  ) STRICT;
  CREATE INDEX inbox_open ON inbox (session, id) WHERE state <> 'done';

  -- A message that is answered by the model. 'wire' is the closed turn in the API's own format, encoded once and sent so for ever.
  CREATE TABLE turn (
    inbox_id INTEGER PRIMARY KEY REFERENCES inbox (id),
    session TEXT NOT NULL,
    generation INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    wire TEXT,
    wire_api TEXT
  ) STRICT;
  CREATE INDEX turn_history ON turn (session, generation, epoch, inbox_id);

  CREATE TABLE step (
    inbox_id INTEGER NOT NULL REFERENCES turn (inbox_id),
    epoch INTEGER NOT NULL,
    position INTEGER NOT NULL,
    message TEXT NOT NULL,
    PRIMARY KEY (inbox_id, epoch, position)
  ) STRICT;

  -- A tool that was begun. Without a result it was interrupted: it is never run again.
  CREATE TABLE tool_call (
    inbox_id INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    position INTEGER NOT NULL,
    call_id TEXT NOT NULL,
    result TEXT,
    PRIMARY KEY (inbox_id, epoch, position, call_id)
  ) STRICT;

  -- Messages that go out: one row a message of the platform.
  CREATE TABLE outbox (
    inbox_id INTEGER NOT NULL REFERENCES inbox (id),
    ordinal INTEGER NOT NULL,
    text TEXT,
    state TEXT NOT NULL,
    id_count TEXT,
    message_id INTEGER,
    after_id INTEGER,
    PRIMARY KEY (inbox_id, ordinal)
  ) STRICT;

  CREATE INDEX outbox_ids ON outbox (id_count, message_id);

  CREATE TABLE notice (inbox_id INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (inbox_id, text)) STRICT;
  CREATE TABLE refused (source TEXT NOT NULL, peer TEXT NOT NULL, PRIMARY KEY (source, peer)) STRICT;
  CREATE TABLE wanted_pin (session TEXT NOT NULL, generation INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (session, generation, text)) STRICT;
  CREATE TABLE polling (
    source TEXT PRIMARY KEY,
    next_offset INTEGER NOT NULL DEFAULT 0,
    at_ms INTEGER NOT NULL DEFAULT 0,
    owner TEXT,
    expires_at_ms INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  `,
  `CREATE INDEX inbox_message ON inbox (session, json_extract(address, '$.messageId'))`,
  'ALTER TABLE inbox ADD COLUMN files TEXT',
];
