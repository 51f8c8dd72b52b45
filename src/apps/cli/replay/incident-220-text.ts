// The incident `220` as a newcomer reads it.
import { formatCount } from '../terminal/numbers.ts';
import { wrapText } from '../terminal/text-width.ts';
import { MESSAGE_LIMIT, type Part220, type PartName, type Story220, WINDOW_220 } from './incident-220.ts';
import { MESSAGES, SIZE_TOKENS } from './incident-220-history.ts';
import { renderPromises } from './promise-text.ts';
import type { IncidentTextOptions } from './restart-text.ts';

const INTRODUCTION = `A session of ${formatCount(SIZE_TOKENS)} tokens in ${MESSAGES} messages, in a window of ${formatCount(WINDOW_220)}, was compacted to 183,180 tokens, a fine result. But the number of messages had stayed ${MESSAGES}, so the loop of that day said "Context length exceeded, cannot compress further" and threw the session away. Here the same history goes through the engine, on a real SQLite file.`;

const TITLES: Record<PartName, (part: Part220) => string> = {
  token_threshold: ({ policy }) =>
    `1. Due by tokens: threshold ${formatCount(policy.threshold ?? 0)}, target ${formatCount(policy.target ?? 0)}`,
  message_hygiene: () => `2. Due by a message limit of ${MESSAGE_LIMIT}, far below the token threshold`,
};

export function render220({ parts, promises }: Story220, options: IncidentTextOptions): string[] {
  const { width, colors } = options;
  return [
    colors.bold('Founding incident 2: tokens fall, the number of messages stays'),
    ...wrapText(INTRODUCTION, width),
    ...parts.flatMap((part) => ['', colors.bold(TITLES[part.name](part)), ...partLines(part, width)]),
    '',
    colors.bold('What held'),
    ...renderPromises(promises, options),
  ];
}

const STAGES = { fold: 'folded', prune: 'pruned', squeeze: 'shortened' } as const;

function partLines({ before, after, outcome }: Part220, width: number): string[] {
  const stages = outcome.stages.map(({ kind, count }) => `${STAGES[kind]} ${count}`).join(', ');
  return [
    `  ${formatCount(before.tokens)} → ${formatCount(after.tokens)} tokens, ${before.messages} → ${after.messages} messages (${stages})`,
    `  status ${outcome.status}, trigger ${outcome.triggerReason}, exhausted ${outcome.exhausted}`,
    ...wrapText(`“${outcome.message}”`, width - 2).map((line) => `  ${line}`),
  ];
}
