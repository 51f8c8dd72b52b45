// Where the chat keeps its conversations when nobody says. The gateway's default file is another one: it deletes what nobody has used for long.
import { existsSync } from 'node:fs';
import path from 'node:path';

const OWN_FILE = 'ullage-chat.db';
/** The default of the gateway, and of a chat before it had a file of its own. */
const SHARED_FILE = 'ullage.db';

export interface FoundDatabase {
  /** Absolute path. */
  readonly database: string;
  /** For the operator: conversations may not be where they are looked for, or not for long. */
  readonly databaseNote?: string;
}

/** The chat's own records stand beside the database that they belong to. */
export const chatFileOf = (database: string): string => `${database}.chat`;

/** Conversations that an earlier version has put into the shared file are found there. */
export function findDatabase(folder: string): FoundDatabase {
  const own = path.join(folder, OWN_FILE);
  const shared = path.join(folder, SHARED_FILE);
  if (!existsSync(chatFileOf(shared))) return { database: own };
  if (existsSync(chatFileOf(own)))
    return {
      database: own,
      databaseNote: `Both ${OWN_FILE} and ${SHARED_FILE} hold conversations, and ${OWN_FILE} is used. For the others set "database": "${SHARED_FILE}" in the config, or pass --db ${shared}.`,
    };
  return {
    database: shared,
    databaseNote: `The conversations are in ${SHARED_FILE}, which \`ullage serve\` and \`ullage run\` share unless they are told otherwise; they delete there what nobody has used for 90 days. Give them another file with --db or pass them --retention off, and set "database": "${SHARED_FILE}" in the config to end this note.`,
  };
}
