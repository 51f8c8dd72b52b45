// What fills a context, as plain data: the `--json` of `ullage inspect`.
import type { Violation } from '../../../core/codec.ts';
import { findModel } from '../../../core/size/models.ts';
import type { Api } from '../../../core/transcript/entry.ts';
import { genuineText } from '../../../core/transcript/genuine.ts';
import { matchCalls } from '../../../core/transcript/match.ts';
import { deriveTurns } from '../../../core/transcript/steps.ts';
import type { Format, Note, Transcript } from '../formats/index.ts';
import { toSingleLine } from '../terminal/text-width.ts';
import { type Duplicates, findDuplicates } from './duplicates.ts';
import { type LoadedTranscript, loadEntries } from './load-entries.ts';
import { KINDS, type Kind, labelOf, type PartWeight, weighParts } from './part-weight.ts';
import { measurePruneGain, type PruneGain } from './prune-gain.ts';
import { type ToolWeight, weighTools } from './tool-weight.ts';

/** Every token number is an estimate unless it says `measured`. */
export interface Inspection {
  readonly file: string;
  readonly format: Format;
  readonly api: Api;
  readonly model?: string;
  readonly tokens: {
    readonly total: number;
    readonly preamble: number;
    readonly messages: number;
    /** What the provider said the newest request took, where the file holds it. */
    readonly measured?: number;
  };
  /** `isKnown`: the window is what is known of the model, nobody said it. */
  readonly window?: { readonly tokens: number; readonly share: number; readonly free: number; readonly isKnown: boolean };
  readonly counts: {
    readonly messages: number;
    readonly turns: number;
    readonly steps: number;
    readonly calls: number;
    readonly openCalls: number;
  };
  readonly kinds: readonly { readonly kind: Kind | 'preamble'; readonly parts: number; readonly tokens: number }[];
  readonly roles: readonly { readonly role: string; readonly messages: number; readonly tokens: number }[];
  readonly preamble: readonly { readonly name: string; readonly tokens: number }[];
  readonly tools: readonly ToolWeight[];
  readonly turns: readonly { readonly ask: string; readonly messages: number; readonly tokens: number }[];
  /** Largest first. `message` is the index in the request's messages, from 0. */
  readonly largest: readonly { readonly message: number; readonly kind: Kind; readonly label: string; readonly tokens: number }[];
  readonly duplicates: Duplicates;
  readonly prune: PruneGain;
  /** Rules of the API that the request breaks; calls without a result always break one. */
  readonly violations: { readonly count: number; readonly first: readonly Violation[] };
  /** What of the file is not in the request, and what is sent besides but not in the file. */
  readonly notes: readonly Note[];
  readonly unseen?: string;
}

export interface InspectOptions {
  readonly file: string;
  /** Tokens of the model's window; without it, what is known of the model. */
  readonly window?: number;
  /** How many of the largest parts, tools, duplicates. */
  readonly top: number;
}

const ASK_CHARS = 200;

export function inspectTranscript(transcript: Transcript, options: InspectOptions): Inspection {
  const loaded = loadEntries(transcript);
  const weights = weighParts(loaded.entries);
  const preambleTokens = sumTokens(loaded.preamble);
  const messageTokens = sumTokens(loaded.entries);
  const total = preambleTokens + messageTokens;
  const known = transcript.model === undefined ? undefined : findModel(transcript.model)?.window;
  const window = options.window ?? known;
  return {
    file: options.file,
    format: transcript.format,
    api: transcript.api,
    model: transcript.model,
    tokens: { total, preamble: preambleTokens, messages: messageTokens, measured: transcript.measuredTokens },
    window:
      window === undefined
        ? undefined
        : { tokens: window, share: total / window, free: window - total, isKnown: options.window === undefined },
    counts: countParts(loaded, weights),
    kinds: weighKinds(loaded, weights),
    roles: weighRoles(loaded),
    preamble: [...loaded.preamble].sort((a, b) => b.tokens - a.tokens).slice(0, options.top),
    tools: weighTools(weights).slice(0, options.top),
    turns: weighTurns(loaded),
    largest: largestParts(loaded, weights, options.top),
    duplicates: shorten(findDuplicates(weights), options.top),
    prune: measurePruneGain(loaded.entries, window),
    violations: { count: loaded.violations.length, first: loaded.violations.slice(0, options.top) },
    notes: transcript.notes,
    unseen: transcript.unseen,
  };
}

function sumTokens(values: readonly { readonly tokens: number }[]): number {
  return values.reduce((sum, value) => sum + value.tokens, 0);
}

function countParts(loaded: LoadedTranscript, weights: readonly PartWeight[]): Inspection['counts'] {
  const turns = deriveTurns(loaded.entries);
  const { calls } = matchCalls(loaded.entries);
  return {
    messages: loaded.entries.length,
    turns: turns.filter((turn) => turn.hasGenuineUser).length,
    steps: turns.flatMap((turn) => turn.steps).filter((step) => step.kind === 'assistant').length,
    calls: weights.filter((weight) => weight.part?.kind === 'call').length,
    openCalls: calls.filter((call) => call.answer === undefined).length,
  };
}

function weighKinds(loaded: LoadedTranscript, weights: readonly PartWeight[]): Inspection['kinds'] {
  const kinds = KINDS.map((kind) => {
    const own = weights.filter((weight) => weight.kind === kind && weight.tokens > 0);
    return { kind, parts: own.length, tokens: sumTokens(own) };
  });
  const preamble = { kind: 'preamble' as const, parts: loaded.preamble.length, tokens: sumTokens(loaded.preamble) };
  return [preamble, ...kinds].filter((row) => row.parts > 0);
}

function weighRoles(loaded: LoadedTranscript): Inspection['roles'] {
  return (['user', 'assistant', 'tool', 'system'] as const).flatMap((role) => {
    const own = loaded.entries.filter((entry) => entry.message.role === role);
    return own.length === 0 ? [] : [{ role, messages: own.length, tokens: sumTokens(own) }];
  });
}

function weighTurns(loaded: LoadedTranscript): Inspection['turns'] {
  return deriveTurns(loaded.entries).map((turn) => {
    const own = loaded.entries.slice(turn.from, turn.to + 1);
    const texts = (own[0]?.message.parts ?? []).map((part) =>
      part.kind === 'text' ? genuineText(part.text.slice(0, ASK_CHARS * 10)) : '',
    );
    return {
      ask: turn.hasGenuineUser ? toSingleLine(texts.join(' ').slice(0, ASK_CHARS)) : '',
      messages: own.length,
      tokens: sumTokens(own),
    };
  });
}

function largestParts(loaded: LoadedTranscript, weights: readonly PartWeight[], top: number): Inspection['largest'] {
  return weights
    .filter((weight) => weight.part !== undefined)
    .sort((a, b) => b.tokens - a.tokens)
    .slice(0, top)
    .map((weight) => ({
      message: weight.position + loaded.preambleCount,
      kind: weight.kind,
      label: labelOf(weight),
      tokens: weight.tokens,
    }));
}

function shorten(duplicates: Duplicates, top: number): Duplicates {
  return { ...duplicates, groups: duplicates.groups.slice(0, top) };
}
