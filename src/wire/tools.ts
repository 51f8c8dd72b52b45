// The declared tools of a request: their names and places, in all three formats.
import type { RequestBody, Span } from './codec.ts';
import { scanElements, scanMembers } from './json/members.ts';
import { memberValue } from './member-value.ts';

/** One declared tool. */
export interface DeclaredTool {
  readonly name: string;
  readonly span: Span;
  /** Names inside a namespace. */
  readonly innerNames: readonly string[];
}

/** Tools in order, of `tools` and of the legacy `functions`. What is not an object is left out. */
export function declaredTools(body: RequestBody): readonly DeclaredTool[] {
  return ['tools', 'functions'].flatMap((key) => {
    const span = body.members.get(key);
    return span ? toolsAt(body.text, span.start) : [];
  });
}

function toolsAt(text: string, start: number): readonly DeclaredTool[] {
  if (text[start] !== '[') return [];
  return scanElements(text, start)
    .elements.filter((element) => text[element.start] === '{')
    .map((span) => {
      const members = scanMembers(text, span.start);
      const inner = members.get('tools');
      const innerNames = inner ? toolsAt(text, inner.start).flatMap((tool) => [tool.name, ...tool.innerNames]) : [];
      return { name: toolName(text, members), span, innerNames };
    });
}

/** `name`, else the name of the function or custom tool, else what the server runs: its type. */
function toolName(text: string, members: ReadonlyMap<string, Span>): string {
  const own = memberValue(text, members.get('name'));
  if (typeof own === 'string') return own;
  for (const key of ['function', 'custom']) {
    const span = members.get(key);
    const name = span && text[span.start] === '{' ? memberValue(text, scanMembers(text, span.start).get('name')) : undefined;
    if (typeof name === 'string') return name;
  }
  const fallback =
    memberValue(text, members.get('mcp_server_name')) ??
    memberValue(text, members.get('server_label')) ??
    memberValue(text, members.get('type'));
  return typeof fallback === 'string' ? fallback : 'unnamed';
}
