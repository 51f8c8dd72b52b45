// The record as text, for stores. A field that a row does not have yet reads as its default; members this version does not know are kept.
import { UllageError } from '../errors.ts';
import { type Cooling, EMPTY_GUARD, type Guard, type Lease, type Rest, type UnitState } from './guard.ts';
import { ANY_DEADLINE_MS, NO_PATH } from './paths.ts';

type Json = Readonly<Record<string, unknown>>;

const REST_REASONS: readonly Rest['reason'][] = ['ineffective', 'refill', 'nothing_to_compact', 'undone'];

/** Throws `internal` rather than write a record that could never be read again. */
export function encodeGuard(guard: Guard): string {
  return JSON.stringify(guard, (key, value: unknown) => (typeof value === 'number' ? storable(value, key) : value));
}

/** JSON has no infinity: a window without an end is as far as one can count. */
function storable(value: number, key: string): number {
  if (Number.isFinite(value)) return value;
  if (value === Number.POSITIVE_INFINITY) return Number.MAX_SAFE_INTEGER;
  throw new UllageError('internal', `The guard record cannot be stored: ${key} is ${value}.`, { details: { field: key } });
}

/** Reads what {@link encodeGuard} wrote; a missing row reads as an empty record. A damaged text throws `store_corrupt`. */
export function decodeGuard(text: string | undefined | null): Guard {
  if (text === undefined || text === null) return EMPTY_GUARD;
  const json = object(parse(text), 'guard');
  return {
    ...json,
    version: count(json, 'version'),
    view: optional(json.view, 'view', string),
    fence: count(json, 'fence'),
    lease: optional(json.lease, 'lease', lease),
    pending: optional(json.pending, 'pending', pending),
    strikes: count(json, 'strikes'),
    proof: optional(json.proof, 'proof', proof),
    tokens: unit(json.tokens ?? {}, 'tokens'),
    messages: unit(json.messages ?? {}, 'messages'),
    paths: paths(json.paths ?? {}, 'paths'),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UllageError('store_corrupt', 'The stored guard record is not JSON.', { cause });
  }
}

function damaged(name: string, expected: string): UllageError {
  return new UllageError('store_corrupt', `The stored guard record is damaged: ${name} is not ${expected}.`, { details: { field: name } });
}

function lease(value: unknown, name: string): Lease {
  const json = object(value, name);
  return {
    ...json,
    attemptId: string(json.attemptId ?? '', `${name}.attemptId`),
    fence: count(json, 'fence', name),
    path: string(json.path ?? NO_PATH, `${name}.path`),
    sinceMs: number(json.sinceMs, `${name}.sinceMs`),
    claimedAtMs: optional(json.claimedAtMs, `${name}.claimedAtMs`, number),
  };
}

function pending(value: unknown, name: string): NonNullable<Guard['pending']> {
  const json = object(value, name);
  return {
    ...json,
    mark: number(json.mark, `${name}.mark`),
    model: string(json.model, `${name}.model`),
    sinceMs: number(json.sinceMs, `${name}.sinceMs`),
  };
}

function proof(value: unknown, name: string): NonNullable<Guard['proof']> {
  const json = object(value, name);
  const models = json.models ?? [];
  if (!Array.isArray(models)) throw damaged(`${name}.models`, 'a list');
  return {
    ...json,
    size: number(json.size, `${name}.size`),
    mark: number(json.mark, `${name}.mark`),
    models: models.map((model: unknown) => string(model, `${name}.models`)),
  };
}

function unit(value: unknown, name: string): UnitState {
  const json = object(value, name);
  return {
    ...json,
    rest: optional(json.rest, `${name}.rest`, rest),
    refills: count(json, 'refills', name),
    last: optional(json.last, `${name}.last`, last),
    level: count(json, 'level', name),
  };
}

function rest(value: unknown, name: string): Rest {
  const json = object(value, name);
  const reason = REST_REASONS.find((known) => known === json.reason);
  if (reason === undefined) throw damaged(`${name}.reason`, `one of ${REST_REASONS.join(', ')}`);
  return {
    ...json,
    reason,
    sinceMs: number(json.sinceMs, `${name}.sinceMs`),
    periodMs: number(json.periodMs, `${name}.periodMs`),
    size: number(json.size, `${name}.size`),
    step: number(json.step, `${name}.step`),
  };
}

function last(value: unknown, name: string): NonNullable<UnitState['last']> {
  const json = object(value, name);
  return { ...json, mark: number(json.mark, `${name}.mark`), watermark: string(json.watermark, `${name}.watermark`) };
}

function paths(value: unknown, name: string): Guard['paths'] {
  return Object.fromEntries(Object.entries(object(value, name)).map(([path, entry]) => [path, cooling(entry, `${name}.${path}`)]));
}

function cooling(value: unknown, name: string): Cooling {
  const json = object(value, name);
  return {
    ...json,
    failures: count(json, 'failures', name),
    sinceMs: number(json.sinceMs, `${name}.sinceMs`),
    periodMs: number(json.periodMs, `${name}.periodMs`),
    deadlineMs: number(json.deadlineMs ?? ANY_DEADLINE_MS, `${name}.deadlineMs`),
    reason: string(json.reason ?? 'unknown', `${name}.reason`),
  };
}

/** NULL is how a store says that there is no value. */
function optional<T>(value: unknown, name: string, read: (value: unknown, name: string) => T): T | undefined {
  return value === undefined || value === null ? undefined : read(value, name);
}

function object(value: unknown, name: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw damaged(name, 'an object');
  return value as Json;
}

function string(value: unknown, name: string): string {
  if (typeof value !== 'string') throw damaged(name, 'a text');
  return value;
}

function number(value: unknown, name: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw damaged(name, 'a number');
  return value;
}

/** A counter; absent reads as 0. */
function count(json: Json, key: string, owner = 'guard'): number {
  const value = json[key] ?? 0;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw damaged(`${owner}.${key}`, 'a whole number of 0 or more');
  return value;
}
