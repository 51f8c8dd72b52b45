// A turn: from a person's words to the answer. Each step is stored as it happens; a process that takes over goes on where the last one was.
import type { Session } from '../../../index.ts';
import { assistantMessage, callsOf, textPart, userMessage } from '../model/message-parts.ts';
import { encodeMessages } from '../model/wire-history.ts';
import type { Sql } from '../store/database.ts';
import { addNotice } from '../store/outbox.ts';
import { closeTurn, isTurnOpen, openTurn, type Turn } from '../store/turns.ts';
import { askModel } from './ask-model.ts';
import { readFiles } from './read-files.ts';
import { closeCalls, runTools } from './run-tools.ts';
import { answerOf, append, type TurnRun, write } from './turn-run.ts';

/** The reason of a signal by which a person ends a turn; it is then closed, not left for later. */
export class StoppedByUser extends Error {}

/** The words of an answer, and what is to be stored together with them. */
export interface Answered {
  readonly text: string;
  readonly commit?: (sql: Sql) => void;
}

export async function runTurn(run: TurnRun): Promise<Answered> {
  const { chat, item } = run;
  const begun = await begin(run);
  if ('text' in begun) return begun;
  let turn = begun;
  const session = await chat.conversations.session(turn.state);
  // What comes up is there for the next turn.
  void chat.toolBox.lookForMissing();
  while (!isOver(turn)) turn = await stepOrStop(run, turn, session);
  const { api } = chat.profile;
  const wire = await encodeMessages(chat.door, turn.steps);
  return { text: answerOf(turn.steps), commit: (sql) => closeTurn(sql, item.id, { wire, api }) };
}

/** The turn; or the answer, when nothing is left to ask the model. */
async function begin(run: TurnRun): Promise<Turn | Answered> {
  const { chat, item } = run;
  const isOpen = await chat.db.read((sql) => isTurnOpen(sql, item.id));
  const { parts, refusals } = isOpen ? { parts: [], refusals: [] } : await readFiles(run);
  const hasWords = item.text.trim() !== '';
  if (!isOpen && !hasWords && parts.length === 0) return { text: refusals.join('\n') };
  const words = hasWords ? item.text : WORDLESS;
  const told = refusals.map((refusal) => textPart(`[${refusal}]`));
  return write(run, (sql) => {
    for (const refusal of refusals) addNotice(sql, item.id, `ℹ️ ${refusal}`);
    return openTurn(sql, item, userMessage([textPart(words), ...parts, ...told]));
  });
}

/** What is sent with a picture alone: not every model takes a message without text. */
const WORDLESS = '(Sent without words.)';

function isOver({ steps }: Turn): boolean {
  const last = steps.at(-1)!;
  return last.role === 'assistant' && callsOf(last).length === 0;
}

async function stepOrStop(run: TurnRun, turn: Turn, session: Session): Promise<Turn> {
  try {
    if (turn.steps.at(-1)!.role === 'assistant') return await runTools(run, turn);
    const asked = turn.steps.filter(({ role }) => role === 'assistant').length;
    const { maxSteps } = run.chat.profile;
    if (asked >= maxSteps)
      return await append(run, turn, { message: assistantMessage(`I stopped here: this took ${maxSteps} steps without an end.`) });
    return await askModel(run, turn, session);
  } catch (error) {
    if (!(run.signal.reason instanceof StoppedByUser)) throw error;
    return closeStopped(run, turn);
  }
}

async function closeStopped(run: TurnRun, turn: Turn): Promise<Turn> {
  const closed = callsOf(turn.steps.at(-1)!).length === 0 ? turn : await closeCalls(run, turn);
  return append(run, closed, { message: assistantMessage('(Stopped.)') });
}
