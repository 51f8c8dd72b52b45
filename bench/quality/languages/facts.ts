// The facts of one made-up task: names, values and addresses that later work depends on.
export interface TaskFacts {
  readonly module: string;
  readonly path: string;
  readonly key: string;
  readonly value: string;
  readonly ticket: string;
  readonly code: string;
  readonly table: string;
  readonly host: string;
  readonly version: string;
  readonly person: string;
}

const MODULES = ['slotKeeper', 'tariffLedger', 'pulseWatcher', 'gateListener', 'monthDigest', 'releaseBinder'] as const;
const FOLDERS = ['src/slots', 'src/tariff', 'src/pulse', 'src/gate', 'src/digest', 'src/release'] as const;
const KEYS = [
  'max_parallel_slots',
  'rounding_step_units',
  'pulse_timeout_ms',
  'gate_retry_ceiling',
  'digest_batch_rows',
  'release_freeze_hours',
] as const;
const TABLES = ['slot_claims', 'tariff_lines', 'pulse_marks', 'gate_visits', 'digest_rows', 'release_notes'] as const;
const HOSTS = ['claims', 'ledger', 'pulse', 'gate', 'digest', 'binder'] as const;
const PREFIXES = ['SLT', 'TRF', 'PLS', 'GTE', 'DGS', 'RLS'] as const;

export const TASKS = MODULES.length;

/** Facts of a task; `random` gives numbers from 0 up to 1. */
export function taskFacts(index: number, random: () => number, people: readonly string[]): TaskFacts {
  const number = (from: number, to: number) => from + Math.floor(random() * (to - from));
  return {
    module: MODULES[index]!,
    path: `${FOLDERS[index]}/${MODULES[index]!.toLowerCase()}-rules.ts`,
    key: KEYS[index]!,
    value: String(number(11_000, 98_000)),
    ticket: `OPS-${number(1_000, 9_999)}`,
    code: `${PREFIXES[index]}${number(1_000, 9_999)}`,
    table: TABLES[index]!,
    host: `${HOSTS[index]}-${number(2, 9)}.depot.example`,
    version: `${number(2, 9)}.${number(10, 40)}.${number(1, 9)}`,
    person: people[index % people.length]!,
  };
}

/** Fills the slots of a template. `{n}` becomes a new number each time. */
export function fillTemplate(template: string, slots: Readonly<Record<string, string>>, random: () => number): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => slots[name] ?? String(1 + Math.floor(random() * 900)));
}
