// Puts an Anthropic history together from pieces that arrive in the order an agent wrote them down: an answer in several lines, results
// between them. Blocks of one answer become one message, and the results of its calls the one message right behind it.
import { anthropicMessage } from './body.ts';
import type { Counter } from './counter.ts';
import { rawMembers } from './raw-json.ts';
import { asText } from './transcript.ts';

/** A JSON string of white space alone. */
const BLANK_TEXT = /^"(?: |\\[nrt])*"$/;

interface Turn {
  readonly role: 'user' | 'assistant';
  /** Raw text of a string content; undefined when there are blocks. */
  readonly text?: string;
  /** Raw result blocks: the API wants them first. */
  readonly results: string[];
  /** All other raw blocks. */
  readonly blocks: string[];
  /** The message that answers this one's calls; it stands right behind it. */
  readonly answers?: Turn;
}

export interface AnthropicTurns {
  /** Adds blocks of an answer; pieces with the same id become one message as long as nobody spoke in between. */
  addAnswer(id: string | undefined, rawBlocks: readonly string[]): void;
  /** Adds what a user line holds: raw blocks, results among them, or the raw text of a string. */
  addUser(rawContent: readonly string[] | string): void;
  /** Raw messages in order. */
  messages(): string[];
}

/** Blocks that the API refuses (blank texts, thinking that nothing follows) are left out and counted. */
export function createAnthropicTurns(counter: Counter): AnthropicTurns {
  const turns: Turn[] = [];
  const calledIn = new Map<string, Turn>();
  let open: { readonly id: string | undefined; readonly turn: Turn } | undefined;

  const begin = (turn: Turn): Turn => {
    turns.push(turn);
    open = undefined;
    return turn;
  };
  return {
    addAnswer(id, rawBlocks) {
      const turn = open !== undefined && id !== undefined && open.id === id ? open.turn : begin(answerTurn());
      open = { id, turn };
      turn.blocks.push(...rawBlocks.filter((block) => !isBlank(block, counter)));
      for (const block of rawBlocks) {
        const callId = idOf(block, 'tool_use', 'id');
        if (callId !== undefined) calledIn.set(callId, turn);
      }
    },
    addUser(rawContent) {
      if (typeof rawContent === 'string') {
        begin({ ...userTurn(), text: rawContent });
        return;
      }
      let place: Turn | undefined;
      for (const rawBlock of rawContent) {
        const callId = idOf(rawBlock, 'tool_result', 'tool_use_id');
        place = calledIn.get(callId ?? '')?.answers ?? place ?? begin(userTurn());
        if (!isBlank(rawBlock, counter)) (callId === undefined ? place.blocks : place.results).push(rawBlock);
      }
    },
    messages: () =>
      turns.flatMap((turn) => [turn, ...(turn.answers === undefined ? [] : [turn.answers])]).flatMap((turn) => renderTurn(turn, counter)),
  };
}

function userTurn(): Turn {
  return { role: 'user', results: [], blocks: [] };
}

function answerTurn(): Turn {
  return { role: 'assistant', results: [], blocks: [], answers: userTurn() };
}

/** The id under `key` of a block of this type. */
function idOf(rawBlock: string, type: string, key: string): string | undefined {
  const members = rawMembers(rawBlock);
  if (members.get('type') !== JSON.stringify(type)) return undefined;
  return asText(JSON.parse(members.get(key) ?? '""')) ?? '';
}

function isBlank(rawBlock: string, counter: Counter): boolean {
  const members = rawMembers(rawBlock);
  if (members.get('type') !== '"text"' || !BLANK_TEXT.test(members.get('text') ?? '')) return false;
  counter.add('blank texts');
  return true;
}

function isThinking(rawBlock: string | undefined): boolean {
  const type = rawMembers(rawBlock).get('type');
  return type === '"thinking"' || type === '"redacted_thinking"';
}

function renderTurn(turn: Turn, counter: Counter): string[] {
  if (turn.text !== undefined) return [anthropicMessage(turn.role, turn.text)];
  const blocks = [...turn.results, ...turn.blocks];
  while (isThinking(blocks.at(-1))) {
    blocks.pop();
    counter.add('thinking blocks that nothing follows');
  }
  return blocks.length === 0 ? [] : [anthropicMessage(turn.role, blocks)];
}
