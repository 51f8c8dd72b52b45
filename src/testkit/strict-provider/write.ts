// What the writers of the three APIs share.

/** What an answer's shape needs besides what was said. */
export interface AnswerContext {
  /** Unique in this provider, without the API's prefix. */
  readonly id: string;
  readonly model: string;
  readonly createdAtSeconds: number;
  /** The member to put into an answer: `{ usage: … }`, `{ usage: null }`, or {} when usage is to be missing. */
  readonly usage: { readonly usage?: Readonly<Record<string, unknown>> | null };
  /** Usage repeated in each chunk before the last (Chat), for providers that count up as they go. */
  readonly runningUsage?: Readonly<Record<string, unknown>>;
  /** `stream_options.include_usage` was set (Chat). */
  readonly includeUsage: boolean;
  /** Characters per delta. */
  readonly chunkChars: number;
  /** The signature of the thinking block (Anthropic), or the sealed reasoning (Responses). */
  readonly seal: string;
  /** Members of the request that the API repeats in its answer (Responses). */
  readonly echo: Readonly<Record<string, unknown>>;
  /** Members of the answer that tell what the API did to the request (Anthropic's input_transformations). */
  readonly notes: Readonly<Record<string, unknown>>;
}

/** A text in pieces of at most so many characters; no pair of surrogates is split. */
export function piecesOf(text: string, { chunkChars }: Pick<AnswerContext, 'chunkChars'>): readonly string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + chunkChars);
    const last = text.charCodeAt(end - 1);
    if (last >= 0xd800 && last <= 0xdbff && end < text.length) end += 1;
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}
