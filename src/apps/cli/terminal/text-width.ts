// How wide a text stands in a terminal: East Asian letters and emoji take two columns, marks none. Control characters never reach it.

const ELLIPSIS = '…';
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const ZERO = /\p{Mn}|\p{Me}|\p{Cf}/u;

function characterWidth(character: string): number {
  if (character < '\u0300') return 1;
  if (ZERO.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** Columns the text takes. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

/** The text in at most `width` columns, an ellipsis at the end when it was cut. */
export function cutText(text: string, width: number): string {
  let taken = 0;
  let kept = '';
  for (const character of text) {
    const next = taken + characterWidth(character);
    if (next > width) return `${dropLast(kept, width - 1)}${ELLIPSIS}`;
    kept += character;
    taken = next;
  }
  return kept;
}

/** Like {@link cutText}, but what goes is the middle: the end of a path says most. */
export function cutMiddle(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  const head = Math.floor((width - 1) / 3);
  const tail = [...text].reverse().join('');
  const kept = [...dropLast(tail.slice(0, width * 2), width - 1 - head)].reverse().join('');
  return `${dropLast(text.slice(0, width), head)}${ELLIPSIS}${kept}`;
}

/** Words in lines of at most `width` columns; a longer word stands alone. */
export function wrapText(text: string, width: number, indent = ''): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const next = line === '' ? word : `${line} ${word}`;
    if (line !== '' && textWidth(next) > width) {
      lines.push(line);
      line = `${indent}${word}`;
    } else line = next;
  }
  return [...lines, line];
}

function dropLast(text: string, width: number): string {
  let kept = text;
  while (kept !== '' && textWidth(kept) > width) kept = [...kept].slice(0, -1).join('');
  return kept;
}

/** The text padded to `width` columns. */
export function padText(text: string, width: number, align: 'left' | 'right'): string {
  const padding = ' '.repeat(Math.max(0, width - textWidth(text)));
  return align === 'right' ? padding + text : text + padding;
}

/** One line without control characters or escape sequences: what a transcript holds must not steer the terminal. */
export function toSingleLine(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
    .trim();
}
