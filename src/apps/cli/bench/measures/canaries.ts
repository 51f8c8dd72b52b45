// Canaries: made-up facts of several types, planted into a real transcript at three depths, and settings that change later on.
import type { PartEdit } from '../../../../core/plan/edit.ts';
import type { Entry, Message, Part } from '../../../../core/transcript/entry.ts';
import { genuineWords } from '../oracle/genuine.ts';
import { seededRandom } from '../statistics/random.ts';
import type { BenchTranscript } from '../transcript/bench-transcript.ts';
import { entriesOf } from '../transcript/entries.ts';

export const CANARY_DEPTHS = ['top', 'middle', 'bottom'] as const;
export type CanaryDepth = (typeof CANARY_DEPTHS)[number];

/** constraint: a person said it. decision: the agent said it. argument: it stood in a tool call. The others: a tool showed them once. */
export const CANARY_TYPES = ['constraint', 'decision', 'argument', 'error', 'path', 'number'] as const;
export type CanaryType = (typeof CANARY_TYPES)[number];

export interface Canary {
  readonly type: CanaryType;
  readonly depth: CanaryDepth;
  /** What must be found. */
  readonly value: string;
}

/** A setting that was changed. */
export interface ChangedValue {
  readonly outdated: string;
  readonly current: string;
}

export interface Planted {
  readonly entries: readonly Entry[];
  readonly canaries: readonly Canary[];
  readonly changed: readonly ChangedValue[];
}

/** Shares of the planted range. */
const DEPTHS: Readonly<Record<CanaryDepth, number>> = { top: 0.1, middle: 0.5, bottom: 0.85 };
const CHANGED_FROM = 0.2;
const CHANGED_TO = 0.6;
const SETTINGS = ['deploy_port', 'retry_ceiling', 'cache_seconds'] as const;
const SEED = 7_411;
/** A transcript of nothing but numbers leaves none: then any will do. */
const MOST_TRIES = 1_000;

/** Plants canaries into the messages before `end`. Where no message of the right kind stands, a canary is left out. */
export function plantCanaries(transcript: BenchTranscript, end: number): Planted {
  const planting = new Planting(transcript, end);
  for (const depth of CANARY_DEPTHS) for (const type of CANARY_TYPES) planting.plant(type, depth);
  for (const setting of SETTINGS) planting.change(setting);
  return planting.finish();
}

type Soil = 'user' | 'said' | 'call' | 'result';

const SOILS: Readonly<Record<CanaryType, Soil>> = {
  constraint: 'user',
  decision: 'said',
  argument: 'call',
  error: 'result',
  path: 'result',
  number: 'result',
};

function makeCanary(type: CanaryType, digits: string): { readonly value: string; readonly line: string } {
  switch (type) {
    case 'constraint':
      return { value: `zone-${digits}`, line: `Never write to zone-${digits} without asking me first.` };
    case 'decision':
      return { value: `plan-${digits}`, line: `Decision: we go on with plan-${digits}, because the other way needs a second migration.` };
    case 'argument':
      return { value: `profile-${digits}`, line: ` --profile profile-${digits}` };
    case 'error':
      return { value: `QX${digits}`, line: `Error: QX${digits}: lease of the shard expired before the flush` };
    case 'path':
      return { value: `vault/k${digits}.toml`, line: `loaded settings from /srv/app/vault/k${digits}.toml` };
    case 'number':
      return { value: digits, line: `worker_queue_limit: ${digits}` };
  }
}

class Planting {
  private readonly transcript: BenchTranscript;
  private readonly end: number;
  private readonly random = seededRandom(SEED);
  private readonly tried = new Set<string>();
  private readonly raws: string[];
  private readonly messages: Message[];
  private readonly canaries: Canary[] = [];
  private readonly changed: ChangedValue[] = [];

  constructor(transcript: BenchTranscript, end: number) {
    this.transcript = transcript;
    this.end = end;
    this.messages = transcript.entries.map((entry) => entry.message);
    this.raws = this.messages.map((message) => message.raw);
  }

  plant(type: CanaryType, depth: CanaryDepth): void {
    const { value, line } = makeCanary(type, this.digits());
    if (this.add(SOILS[type], DEPTHS[depth], line)) this.canaries.push({ type, depth, value });
  }

  change(setting: string): void {
    const outdated = this.digits();
    const current = this.digits();
    const isPlanted =
      this.add('said', CHANGED_FROM, `We use ${setting} ${outdated}.`) &&
      this.add('said', CHANGED_TO, `We use ${setting} ${current} from now on.`);
    if (isPlanted) this.changed.push({ outdated, current });
  }

  finish(): Planted {
    return { entries: entriesOf(this.transcript.codec, this.raws), canaries: this.canaries, changed: this.changed };
  }

  /** Not a number that stands in the transcript already: that would be found whatever becomes of the canary. */
  private digits(): string {
    for (;;) {
      const digits = String(10_000 + Math.floor(this.random() * 90_000));
      if (this.tried.has(digits)) continue;
      this.tried.add(digits);
      if (this.tried.size > MOST_TRIES || !this.raws.some((raw) => raw.includes(digits))) return digits;
    }
  }

  /** Adds a line to the first fitting part at or behind the depth. */
  private add(soil: Soil, share: number, line: string): boolean {
    for (let index = Math.floor(share * this.end); index < this.end; index += 1) {
      const message = this.messages[index]!;
      const part = message.parts.findIndex((own) => isSoil(soil, message, own));
      const edit = part < 0 ? undefined : this.edited(message.parts[part]!, part, line);
      if (edit === undefined) continue;
      this.replace(index, edit);
      return true;
    }
    return false;
  }

  private edited(own: Part, part: number, line: string): PartEdit | undefined {
    if (own.kind === 'call') {
      const argumentsText = withArgument(own.argumentsText, line);
      return argumentsText === undefined ? undefined : { kind: 'replace-arguments', part, argumentsText };
    }
    const lines = own.kind === 'text' || own.kind === 'result' ? own.text.split('\n') : [];
    lines.splice(Math.floor(this.random() * (lines.length + 1)), 0, line);
    return { kind: 'replace-text', part, text: lines.join('\n') };
  }

  private replace(index: number, edit: PartEdit): void {
    const { codec } = this.transcript;
    this.raws[index] = codec.editMessage(this.raws[index]!, [edit]);
    this.messages[index] = codec.decodeMessage(this.raws[index]!);
  }
}

function isSoil(soil: Soil, { role }: Message, part: Part): boolean {
  if (soil === 'call' || soil === 'result') return part.kind === soil;
  if (part.kind !== 'text') return false;
  return soil === 'said'
    ? role === 'assistant'
    : role === 'user' && genuineWords(part.text) === part.text.trim() && part.text.trim() !== '';
}

/** The arguments with the words at the end of their first text; undefined when they hold none. */
function withArgument(argumentsText: string, words: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(argumentsText);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const named = Object.entries(value).find(([, own]) => typeof own === 'string');
  return named && JSON.stringify({ ...value, [named[0]]: `${named[1]}${words}` });
}
