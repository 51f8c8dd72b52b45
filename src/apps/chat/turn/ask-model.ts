// The step in which the model is asked: repeated while that can help, continued in a new conversation when this one cannot go on, and closed
// with the reason when there is no answer.
import type { CompactionOutcome, Prepared, Session } from '../../../index.ts';
import { callModel, type ModelAnswer } from '../model/call-model.ts';
import { assistantMessage, callsOf, textOf, textPart, userMessage, userPartsOf } from '../model/message-parts.ts';
import { userTextsOf } from '../model/wire-history.ts';
import type { Sql } from '../store/database.ts';
import { LeaseLost } from '../store/lease.ts';
import { addNotice } from '../store/outbox.ts';
import { clearWantedPins, wantedPins } from '../store/pins.ts';
import type { Reading } from '../store/rows.ts';
import { noteCallResult } from '../store/tool-calls.ts';
import { continueTurn, noteReading, type Turn } from '../store/turns.ts';
import { describeFailure, type Failure } from '../text/failure-text.ts';
import { continuationNotice, noticeOf } from '../text/notices.ts';
import { megabytes } from '../text/numbers.ts';
import { hasImageParts, hasImages, lacksImages, leaveImagesOut, NOT_SEEN } from './leave-images-out.ts';
import { answerOf, append, type TurnRun, write } from './turn-run.ts';

/** Waits between repeats where the provider names none, milliseconds. */
const PAUSES_MS = [1_000, 3_000, 8_000];
/** Who waits for an answer is told rather than made to wait longer. */
const LONGEST_PAUSE_MS = 30_000;

export async function askModel(run: TurnRun, turn: Turn, session: Session): Promise<Turn> {
  const { chat } = run;
  const { maxHistoryChars } = chat.profile;
  const history = await chat.conversations.history(turn.state);
  const { length } = history;
  const elsewhere = (cause: string, outcomes?: readonly CompactionOutcome[]) => continueElsewhere(run, { turn, session, cause, outcomes });
  if (length > maxHistoryChars && !turn.isContinued)
    return elsewhere(`it has ${megabytes(length)} with its pictures, and ${megabytes(maxHistoryChars)} are kept`);
  for (let attempt = 0; ; attempt++) {
    const seen: Seen = { outcomes: [] };
    try {
      return await askOnce(run, { turn, session, history, seen });
    } catch (error) {
      run.signal.throwIfAborted();
      if (error instanceof LeaseLost) throw error;
      const failure = describeFailure(error, run.chat.secrets.redact);
      run.chat.log.write('warn', 'The model gave no answer.', { session: turn.state.key, reason: failure.text });
      if (failure.exhaustion !== undefined && !turn.isContinued) return elsewhere(failure.exhaustion, seen.outcomes);
      if (failure.refusal !== undefined && turn.steps.some(hasImages)) return leaveImagesOut(run, turn, failure.refusal);
      if (failure.isAboutImages && !turn.isContinued && hasImageParts(history))
        return elsewhere('the model takes no pictures, and it has some');
      const pauseMs = failure.retryAfterMs ?? PAUSES_MS[attempt];
      const isLast = !failure.isPassing || attempt >= PAUSES_MS.length || pauseMs === undefined || pauseMs > LONGEST_PAUSE_MS;
      if (isLast) return append(run, turn, { message: assistantMessage(noAnswer(failure)), also: (sql) => noteSeen(run, sql, seen) });
      await run.wait(pauseMs);
    }
  }
}

/** Part of the conversation from now on, so that the model knows what the person was told. */
function noAnswer({ text, isPassing }: Failure): string {
  return `⚠️ There is no answer to this. ${text}${isPassing ? ' Your message is kept: ask me to go on when you like.' : ''}`;
}

/** What became known on the way, also without an answer. */
interface Seen {
  readonly outcomes: CompactionOutcome[];
  reading?: Reading;
  /** The request went out without pictures that the turn has. */
  lacksImages?: boolean;
}

interface Asking {
  readonly turn: Turn;
  readonly session: Session;
  /** Closed turns. */
  readonly history: string;
  readonly seen: Seen;
}

async function askOnce(run: TurnRun, { turn, session, history, seen }: Asking): Promise<Turn> {
  const { chat } = run;
  const pins = await chat.db.read((sql) => wantedPins(sql, turn.state));
  const said = answerOf(turn.steps);
  const call = {
    session,
    history,
    messages: turn.steps,
    wantedPins: pins,
    signal: run.signal,
    onText: (text: string) => run.progress.text(said === '' ? text : `${said}\n\n${text}`),
    onPrepared: (prepared: Prepared) => {
      seen.reading = { ...readingOf(prepared), atMs: chat.now() };
      seen.lacksImages = lacksImages(prepared.text, turn.steps);
      if (prepared.outcome?.exhausted) seen.outcomes.push(prepared.outcome);
    },
  };
  const answer = await chat.watch.during(
    session.id,
    (outcome) => seen.outcomes.push(outcome),
    () => callModel(chat.door, call),
  );
  const also = (sql: Sql) => {
    noteSeen(run, sql, seen);
    if (pins.length > 0) clearWantedPins(sql, turn.state);
    if (answer.finishReason === 'length' && callsOf(answer.message).length === 0)
      addNotice(sql, turn.itemId, 'ℹ️ The answer was cut: the model reached its limit of output.');
    if (seen.lacksImages) addNotice(sql, turn.itemId, NOT_SEEN);
    const place = { itemId: turn.itemId, epoch: turn.state.epoch, position: turn.steps.length };
    for (const { toolCallId, output } of answer.refusedCalls)
      noteCallResult(sql, place, { callId: toolCallId, result: JSON.stringify(output) });
  };
  return append(run, turn, { message: worded(answer), also });
}

/** An empty message is valid nowhere, and no answer to anybody. */
function worded({ message, finishReason }: ModelAnswer) {
  if (callsOf(message).length > 0 || textOf(message).trim() !== '') return message;
  return assistantMessage(finishReason === 'content-filter' ? '⚠️ The model declined to answer.' : '⚠️ The model gave an empty answer.');
}

function noteSeen({ chat, item }: TurnRun, sql: Sql, { outcomes, reading }: Seen): void {
  if (reading !== undefined) noteReading(sql, item.session, reading);
  for (const outcome of outcomes) {
    const text = noticeOf(outcome, chat.profile.notices, chat.now());
    if (text !== undefined) addNotice(sql, item.id, chat.secrets.redact(text));
  }
}

interface Ending {
  readonly turn: Turn;
  readonly session: Session;
  /** The end of a sentence. */
  readonly cause: string;
  readonly outcomes?: readonly CompactionOutcome[];
}

/** The library gives the summary of all that was; the question is the turn's own. */
async function continueElsewhere(run: TurnRun, { turn, session, cause, outcomes = [] }: Ending): Promise<Turn> {
  const { messages } = await session.continue();
  const [summary = ''] = userTextsOf(messages);
  const first = userMessage([textPart(summary), ...userPartsOf(turn.steps[0]!)]);
  const notice = continuationNotice(
    cause,
    outcomes.findLast((outcome) => outcome.exhausted),
  );
  run.chat.log.write('warn', 'A conversation goes on in a continuation.', { session: turn.state.key, reason: cause });
  return write(run, (sql) => {
    addNotice(sql, turn.itemId, notice);
    return continueTurn(sql, turn, first);
  });
}

function readingOf({ context, budget }: Prepared): Omit<Reading, 'atMs'> {
  const { window, usable, threshold, target, floor, warnings } = budget;
  const { tokens, kind } = context;
  const sizes = { tokens, isMeasured: kind === 'measured', window, usable, threshold, target };
  return { ...sizes, floorTokens: floor.tokens, floorParts: floor.contributors, warnings };
}
