// A summary as its sections, and back. Text before the first heading is a section without one.

/** One section: its heading line ('' for what stands before the first) and the lines below. */
export interface SummarySection {
  readonly heading: string;
  /** The heading's words in lower case, without number and colon. */
  readonly name: string;
  readonly lines: readonly string[];
}

const HEADING = /^#{1,6}[ \t]{1,4}(?:\d{1,2}[.)][ \t]{1,4})?(.*?)[ \t:]{0,4}$/;

export function splitSections(text: string): readonly SummarySection[] {
  const sections: { heading: string; name: string; lines: string[] }[] = [{ heading: '', name: '', lines: [] }];
  for (const line of text.split('\n')) {
    const name = line.length <= 200 ? HEADING.exec(line)?.[1] : undefined;
    if (name === undefined) sections.at(-1)!.lines.push(line);
    else sections.push({ heading: line, name: name.toLowerCase(), lines: [] });
  }
  return sections.filter(({ heading, lines }) => heading !== '' || lines.some((line) => line.trim() !== ''));
}

export function joinSections(sections: readonly SummarySection[]): string {
  return sections
    .map(({ heading, lines }) => [...(heading === '' ? [] : [heading]), ...lines].join('\n').trimEnd())
    .join('\n\n')
    .trim();
}
