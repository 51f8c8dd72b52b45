// Decoded messages as the sides of a talk that every API accepts: calls answered right behind, ids that every API takes, no empty text.
import type { CallPart, Entry, Message, Part, ResultPart } from '../core/transcript/entry.ts';
import { planRepairs, resultContents } from '../core/transcript/repair.ts';

/** What one side says before the other does. */
export interface Side {
  readonly role: 'assistant' | 'user' | 'system';
  readonly texts: readonly string[];
  readonly calls: readonly CallPart[];
  readonly results: readonly ResultPart[];
}

interface OpenSide extends Side {
  readonly texts: string[];
  readonly calls: CallPart[];
  readonly results: ResultPart[];
}

/** Neighbours of one side become one. */
export function sidesOf(messages: readonly Message[]): readonly Side[] {
  const ids = new Ids();
  const sides: OpenSide[] = [];
  for (const { role, parts } of repaired(messages)) {
    const sideRole = role === 'tool' ? 'user' : role;
    const contents = parts.map(carried).filter((part) => part !== undefined);
    if (contents.length === 0) continue;
    let side = sides.at(-1);
    if (side === undefined || side.role !== sideRole || sideRole === 'system') {
      side = { role: sideRole, texts: [], calls: [], results: [] };
      sides.push(side);
    }
    for (const part of contents) addPart(side, part, ids);
  }
  return sides;
}

/** Every call has one result right behind it, an open last one too; what has no partner is left out. */
function repaired(messages: readonly Message[]): readonly Pick<Message, 'role' | 'parts'>[] {
  const entries: Entry[] = messages.map((message, position) => ({ position, fingerprint: '', chain: '', message, tokens: 0 }));
  const end: Message = { role: 'user', parts: [{ kind: 'text', text: 'end' }], raw: '' };
  const { dropped, results } = planRepairs([...entries, { position: entries.length, fingerprint: '', chain: '', message: end, tokens: 0 }]);
  const gone = new Set(dropped.map(({ position, part }) => `${position}.${part}`));
  const added = new Map(results.map((result) => [result.afterPosition, result]));
  return messages.flatMap(({ role, parts }, position) => {
    const kept = { role, parts: parts.filter((_, part) => !gone.has(`${position}.${part}`)) };
    const missing = added.get(position);
    if (missing === undefined) return [kept];
    const made = resultContents(missing).map((content): ResultPart => ({ kind: 'result', media: [], ...content }));
    return [kept, { role: 'tool' as const, parts: made }];
  });
}

type Carried = CallPart | ResultPart | { readonly kind: 'text'; readonly text: string };

function carried(part: Part): Carried | undefined {
  switch (part.kind) {
    case 'text':
      return part.text.trim() === '' ? undefined : part;
    case 'media':
      return { kind: 'text', text: `[${part.mediaKind}, ${part.sizeBytes} bytes, not carried over]` };
    case 'opaque':
      return { kind: 'text', text: `[${part.type}, ${part.sizeChars} characters, not carried over]` };
    case 'thinking':
      return undefined;
    default:
      return part;
  }
}

function addPart(side: OpenSide, part: Carried, ids: Ids): void {
  if (part.kind === 'text') side.texts.push(part.text);
  else if (part.kind === 'call') side.calls.push({ ...part, id: ids.ofCall(part.id) });
  else side.results.push({ ...part, callId: ids.ofResult(part.callId), text: resultText(part) });
}

function resultText({ text, media }: ResultPart): string {
  return [text, ...media.map(({ mediaKind, sizeBytes }) => `[${mediaKind}, ${sizeBytes} bytes, not carried over]`)]
    .filter((line) => line.trim() !== '')
    .join('\n');
}

const SAFE_ID = /^[a-zA-Z0-9_-]{1,40}$/;

/** Ids that every API takes: of letters, at most 40, and never used twice. */
class Ids {
  private readonly used = new Set<string>();
  private readonly newest = new Map<string, string>();
  private count = 0;

  ofCall(id: string): string {
    let made = id;
    while (!SAFE_ID.test(made) || this.used.has(made)) made = `call_${++this.count}`;
    this.used.add(made);
    this.newest.set(id, made);
    return made;
  }

  ofResult(callId: string): string {
    return this.newest.get(callId) ?? callId;
  }
}
