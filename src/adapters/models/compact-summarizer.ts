// The provider's own compaction as a summarizer (Anthropic, on demand): asked behind the request that was sent already; only its readable text is used.
import type { Summarizer } from '../../ports/summarizer.ts';
import { isObject, type JsonObject, listOf, stringOf } from '../../wire/rules.ts';
import { type CallForm, httpSummarizer } from './http-summarizer.ts';
import { checkOptions, type ModelSummarizerOptions } from './options.ts';
import { READ_EVENT, READ_WHOLE, type Said } from './read-text.ts';
import { type BodyInput, behind } from './request-shape.ts';

const BETA = 'compact-2026-09-04';
const BETA_HEADER = 'anthropic-beta';

/** Options of `anthropicCompactSummarizer`. Model and account must be the ones that the requests go to. */
export type CompactSummarizerOptions = Omit<ModelSummarizerOptions, 'usesPrefix' | 'effort'>;

/**
 * Anthropic's on-demand compaction, asked to write our sections. Only where the request's prefix is in its cache and nothing speaks against it;
 * else the next summarizer of the chain is asked, or the facts stand. The item that comes back is dropped, and so is one that cannot be read.
 * Throws option_invalid.
 *
 * @example
 * ```ts
 * import { anthropicCompactSummarizer } from 'ullage/models';
 *
 * const summarizer = anthropicCompactSummarizer({ url: 'https://api.anthropic.com', model: 'claude-sonnet-5', apiKey: 'KEY' });
 * ```
 */
export function anthropicCompactSummarizer(options: CompactSummarizerOptions): Summarizer {
  const { id } = checkOptions(options);
  return httpSummarizer('anthropic', { ...options, id: options.id ?? `${id}:compact`, usesPrefix: true }, COMPACT);
}

const COMPACT: CallForm = {
  isPrefixOnly: true,
  bodyOf(request, input) {
    if (request.prefix === undefined) throw new Error('A provider compacts only what was sent to it; it was given plain text.');
    return compactBody(request.prefix.body, input);
  },
  headersOf: (headers) => {
    const asked = headers[BETA_HEADER];
    return { ...headers, [BETA_HEADER]: asked === undefined ? BETA : [...new Set([...asked.split(/\s*,\s*/), BETA])].join(',') };
  },
  readEvent: (event) => ({ ...READ_EVENT.anthropic(event), text: eventText(event), ...finishOf(event.delta) }),
  readWhole: (answer) => ({
    ...READ_WHOLE.anthropic(answer),
    text: listOf(answer.content).map(blockText).join(''),
    ...finishOf(answer),
  }),
};

/** Edits of the context cannot be asked for in the same call; those that this path lets through change nothing. */
function compactBody(prefix: string, { prompt, outputTokens }: Omit<BodyInput, 'model'>): object {
  const { context_management: _, ...sent } = behind(prefix);
  const compaction = { type: 'summarize', instructions: prompt.system };
  return { ...sent, compaction, stream: true, max_tokens: outputTokens + (sent.thinking?.budget_tokens ?? 0) };
}

/** What stands in its sealed members can be read by nobody, so it is not looked at. */
function blockText(block: unknown): string {
  return isObject(block) && block.type === 'compaction' ? (stringOf(block.content) ?? '') : '';
}

function eventText({ type, delta, content_block: block }: JsonObject): string {
  if (type === 'content_block_start') return blockText(block);
  return isObject(delta) && delta.type === 'compaction_delta' ? (stringOf(delta.content) ?? '') : '';
}

function finishOf(holder: unknown): Pick<Said, 'finish'> {
  return isObject(holder) && holder.stop_reason === 'compaction' ? { finish: 'stop' } : {};
}
