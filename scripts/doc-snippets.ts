// Finds the TypeScript blocks of a document: fenced in Markdown, or fenced inside a doc comment of a source file.

export interface Snippet {
  /** Line of the first code line, from 1. */
  readonly line: number;
  readonly code: string;
}

const FENCE = '```';

/** Every block fenced as ts or typescript. `ts no-check` leaves a block out. The ` * ` of a doc comment is removed. */
export function findSnippets(text: string): Snippet[] {
  const snippets: Snippet[] = [];
  let open: { line: number; lines: string[]; isChecked: boolean } | undefined;
  for (const [index, rawLine] of text.split('\n').entries()) {
    const line = rawLine.replace(/^\s*\* ?/, '');
    const fence = line.trim();
    if (open !== undefined && fence === FENCE) {
      if (open.isChecked) snippets.push({ line: open.line, code: open.lines.join('\n') });
      open = undefined;
    } else if (open !== undefined) {
      open.lines.push(line);
    } else if (fence.startsWith(FENCE)) {
      open = { line: index + 2, lines: [], isChecked: /^(ts|typescript)$/.test(fence.slice(FENCE.length)) };
    }
  }
  return snippets;
}
