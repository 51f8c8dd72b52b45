// The messages of a body as the API sees them: content strings as blocks, consecutive messages of one role as one turn.
import { isObject, type JsonObject } from '../rules.ts';

/** A content block and where it stands. */
export interface Placed {
  readonly block: JsonObject;
  /** e.g. messages.3.content.0; for a plain string the path of the content. */
  readonly path: string;
}

/** One or more consecutive messages of one role. */
export interface Turn {
  readonly role: string;
  readonly firstIndex: number;
  readonly lastIndex: number;
  readonly blocks: readonly Placed[];
  /** Messages of the turn whose content is '' or []. */
  readonly emptyIndexes: readonly number[];
  /** Messages of the turn whose content is neither text nor a list of blocks. */
  readonly damagedIndexes: readonly number[];
}

interface MutableTurn extends Turn {
  lastIndex: number;
  readonly blocks: Placed[];
  readonly emptyIndexes: number[];
  readonly damagedIndexes: number[];
}

/** The turns of a body. Messages that are no objects belong to a turn of role ''. */
export function turnsOf(messages: readonly unknown[]): readonly Turn[] {
  const turns: MutableTurn[] = [];
  for (const [index, message] of messages.entries()) {
    const role = isObject(message) && typeof message.role === 'string' ? message.role : '';
    let turn = turns.at(-1);
    if (turn === undefined || turn.role !== role) {
      turn = { role, firstIndex: index, lastIndex: index, blocks: [], emptyIndexes: [], damagedIndexes: [] };
      turns.push(turn);
    }
    turn.lastIndex = index;
    addContent(turn, index, isObject(message) ? message.content : undefined);
  }
  return turns;
}

function addContent(turn: MutableTurn, index: number, content: unknown): void {
  const path = `messages.${index}.content`;
  if (content === '' || (Array.isArray(content) && content.length === 0)) {
    turn.emptyIndexes.push(index);
  } else if (typeof content === 'string') {
    turn.blocks.push({ block: { type: 'text', text: content }, path });
  } else if (Array.isArray(content)) {
    for (const [at, block] of content.entries()) {
      turn.blocks.push({ block: isObject(block) ? block : {}, path: `${path}.${at}` });
    }
  } else {
    turn.damagedIndexes.push(index);
  }
}

/** True when the request ends in results of the assistant turn before it: that turn is still open. */
export function isOpenRound(turns: readonly Turn[]): boolean {
  const last = turns.at(-1);
  return last?.role === 'user' && last.blocks.some(({ block }) => block.type === 'tool_result') && turns.at(-2)?.role === 'assistant';
}
