// Ullage with summaries of a model that were written down before: the same at every run, without a model and without a bill.
import type { Entry } from '../../../../core/transcript/entry.ts';
import { readableText } from '../oracle/flatten.ts';
import type { Strategy, StrategyInput } from './strategy.ts';
import { ullageStrategy } from './ullage.ts';

/** What is added to each section when a further stretch of the session is summarised. */
export interface RecordedStretch {
  /** Position of the last entry it covers. */
  readonly through: number;
  /** Take the place of those before. */
  readonly goal: string;
  readonly state: string;
  /** Are added to those before. */
  readonly constraints?: readonly string[];
  readonly done: readonly string[];
  readonly decisions?: readonly string[];
  readonly errors?: readonly string[];
  readonly files?: readonly string[];
  readonly data?: readonly string[];
}

/** The summaries of one session. */
export interface RecordedSession {
  /** How its first message begins. */
  readonly begins: string;
  /** In order. */
  readonly stretches: readonly RecordedStretch[];
}

export const ULLAGE_WITH_MODEL = 'Ullage + model';

/** Where nothing was recorded it does what Ullage does with facts alone. */
export function recordedStrategy(sessions: readonly RecordedSession[]): Strategy {
  const proseFor = (input: StrategyInput, { to }: { readonly to: number }) => {
    const session = sessions.find(({ begins }) => firstWords(input.entries[0]).startsWith(begins));
    const covered = session?.stretches.filter(({ through }) => through <= to) ?? [];
    return covered.length === 0 ? undefined : recordedSummary(covered);
  };
  return { ...ullageStrategy({ name: ULLAGE_WITH_MODEL, canOpenHandles: false, proseFor }), isRetentionOnly: true };
}

function firstWords(entry: Entry | undefined): string {
  return entry?.message.parts.map(readableText).join(' ').trimStart() ?? '';
}

/** The summary of these stretches, in the sections that models are asked for. */
export function recordedSummary(stretches: readonly RecordedStretch[]): string {
  const list = (pick: (stretch: RecordedStretch) => readonly string[] | undefined, mark: (index: number) => string = () => '-') =>
    stretches.flatMap((stretch) => pick(stretch) ?? []).map((line, index) => `${mark(index)} ${line}`);
  const newest = stretches.at(-1);
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ['Goal', [newest?.goal ?? '']],
    ['Constraints and preferences', list(({ constraints }) => constraints)],
    [
      'Done',
      list(
        ({ done }) => done,
        (index) => `${index + 1}.`,
      ),
    ],
    ['Current state', [newest?.state ?? '']],
    ['Decisions and why', list(({ decisions }) => decisions)],
    ['Errors and fixes', list(({ errors }) => errors)],
    ['Files', list(({ files }) => files)],
    ['Critical data', list(({ data }) => data)],
  ];
  return sections
    .filter(([, lines]) => lines.length > 0)
    .map(([heading, lines]) => `## ${heading}\n${lines.join('\n')}`)
    .join('\n\n');
}
