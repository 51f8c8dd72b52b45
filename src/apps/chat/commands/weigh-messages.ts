// What the messages that are sent are made of, by characters. Reads the bodies of all three APIs.

export interface Weight {
  readonly kind: string;
  readonly chars: number;
}

type Node = Readonly<Record<string, unknown>>;

const IMAGE_TYPES: ReadonlySet<string> = new Set(['image', 'image_url', 'input_image']);
/** A picture takes about 1,500 tokens, however many characters stand for it. */
const IMAGE_CHARS = 6_000;

const SUMMARY_START = '<ullage-summary>';

/** The heaviest first. `fixedChars`: system prompt and tools. */
export function weighMessages(body: unknown, fixedChars: number): readonly Weight[] {
  const { messages, input } = body as { readonly messages?: readonly Node[]; readonly input?: readonly Node[] };
  const weights = new Map<string, number>([['system prompt and tools', fixedChars]]);
  const add = (kind: string, chars: number) => weights.set(kind, (weights.get(kind) ?? 0) + chars);
  for (const message of messages ?? input ?? []) weighMessage(message, add);
  return [...weights]
    .filter(([, chars]) => chars > 0)
    .map(([kind, chars]) => ({ kind, chars }))
    .sort((a, b) => b.chars - a.chars);
}

type Add = (kind: string, chars: number) => void;

function weighMessage(message: Node, add: Add): void {
  const { role, content, tool_calls: calls, type } = message;
  if (calls !== undefined) add('tool calls', JSON.stringify(calls).length);
  const kind = role === 'tool' ? 'tool results' : role === 'assistant' ? 'answers' : 'your messages';
  if (role === undefined) add(kindOfType(type), JSON.stringify(message).length);
  else if (typeof content === 'string') weighText(content, kind, add);
  else if (Array.isArray(content)) for (const block of content as readonly Node[]) weighBlock(block, kind, add);
}

function weighBlock(block: Node, kind: string, add: Add): void {
  if (typeof block.text === 'string') weighText(block.text, kind, add);
  else if (IMAGE_TYPES.has(String(block.type))) add('pictures', IMAGE_CHARS);
  else add(kindOfType(block.type), JSON.stringify(block).length);
}

function weighText(text: string, kind: string, add: Add): void {
  add(text.startsWith(SUMMARY_START) ? 'summary' : kind, text.length);
}

function kindOfType(type: unknown): string {
  if (type === 'tool_use' || type === 'function_call') return 'tool calls';
  if (type === 'tool_result' || type === 'function_call_output') return 'tool results';
  return type === 'thinking' || type === 'reasoning' ? 'thinking' : 'other';
}
