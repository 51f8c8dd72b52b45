// An answer as messages of the platform: none longer than it takes, no letter and no code block torn apart.

/** UTF-16 units of one message (https://core.telegram.org/bots/api#sendmessage). */
export const LONGEST_MESSAGE = 4_096;

const FENCE = '```';
const FENCE_LINE = /^ {0,3}```(.{0,40})/;
const CLOSING = `\n${FENCE}`;

/** At least one part, none of them empty. A code block that goes on in the next part is closed and opened again. */
export function splitText(given: string, limit = LONGEST_MESSAGE): readonly string[] {
  const text = given.toWellFormed();
  const parts: string[] = [];
  let opening = '';
  for (let from = 0; from < text.length; ) {
    const head = opening === '' ? '' : `${opening}\n`;
    if (text.length - from <= limit - head.length) {
      parts.push(head + text.slice(from));
      break;
    }
    const to = cutBefore(text, from, from + limit - head.length - CLOSING.length);
    const piece = text.slice(from, to);
    opening = openFence(opening, piece);
    parts.push(head + piece.trimEnd() + (opening === '' ? '' : CLOSING));
    from = to;
    if (text[from] === '\n') from++;
  }
  const filled = parts.filter((part) => part.trim() !== '');
  return filled.length > 0 ? filled : ['(an empty answer)'];
}

/** At a paragraph, a line, a word; in the first half of the room only where there is nothing else. */
function cutBefore(text: string, from: number, most: number): number {
  // A piece of its own: to look backwards for what is not there would else go to the beginning of the whole.
  const piece = text.slice(from, most);
  const least = Math.floor(piece.length / 2);
  for (const mark of ['\n\n', '\n', ' ']) {
    const at = piece.lastIndexOf(mark);
    if (at >= least) return from + at + (mark === ' ' ? 1 : 0);
  }
  const last = text.charCodeAt(most - 1);
  return last >= 0xd800 && last <= 0xdbff ? most - 1 : most;
}

/** The line that opens the code block in which the piece ends, or ''. */
function openFence(before: string, piece: string): string {
  let opening = before;
  for (const line of piece.split('\n')) {
    const match = FENCE_LINE.exec(line);
    if (match !== null) opening = opening === '' ? `${FENCE}${match[1]!.replaceAll('`', '')}` : '';
  }
  return opening;
}
