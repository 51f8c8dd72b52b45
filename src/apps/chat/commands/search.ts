// `/search`: everything that was ever said here, in this conversation and in those before it.
import type { Hit } from '../../../index.ts';
import { sessionKeyOf } from '../store/rows.ts';
import type { Answered } from '../turn/run-turn.ts';
import type { CommandRun } from './run-command.ts';

const HITS = 5;
/** Conversations that are looked through, the newest first. */
const GENERATIONS = 20;
const EXCERPT_CHARS = 300;

const SPEAKERS: Readonly<Record<string, string>> = { user: 'you', assistant: 'the model', tool: 'a tool' };

export async function search({ chat, state, words }: CommandRun): Promise<Answered> {
  if (words === '') return { text: 'Write what to look for behind the command: /search port number.' };
  const hits: Hit[] = [];
  const oldest = Math.max(1, state.generation - GENERATIONS + 1);
  for (let generation = state.generation; generation >= oldest && hits.length < HITS; generation--) {
    const session = await chat.ullage.session(sessionKeyOf({ key: state.key, generation }));
    hits.push(...(await session.search(words, { limit: HITS - hits.length })));
  }
  return { text: hits.length === 0 ? `Nothing that was said here matches “${words}”.` : hits.map(hitText).join('\n\n') };
}

function hitText({ atMs, role, excerpt, handle }: Hit): string {
  const day = new Date(atMs).toISOString().slice(0, 16).replace('T', ' ');
  return `${day} UTC, ${SPEAKERS[role] ?? role} (${handle}):\n${excerpt.slice(0, EXCERPT_CHARS)}`;
}
