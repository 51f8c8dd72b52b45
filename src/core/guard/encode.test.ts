// The record as text: what comes back, what an older or a newer version wrote, and what is damaged.
import { describe, expect, it } from 'vitest';
import { UllageError } from '../errors.ts';
import { decodeGuard, encodeGuard } from './encode.ts';
import { EMPTY_GUARD, type Guard } from './guard.ts';
import { reduceGuard } from './reduce.ts';
import { askWith, guardWith, leaseWith, NOW, restWith, trippedGuard, unitWith } from './testing/fixtures.ts';

const full: Guard = trippedGuard({
  version: 12,
  fence: 7,
  lease: leaseWith(),
  pending: { mark: 100, model: 'm', sinceMs: NOW },
  messages: unitWith({ rest: restWith(), refills: 3, level: 1, last: { mark: 220, watermark: 'c5' } }),
  paths: { summarizer: { failures: 2, sinceMs: NOW, periodMs: 300_000, deadlineMs: 20_000, reason: 'rate' } },
});

function fault(text: string): unknown {
  try {
    return decodeGuard(text);
  } catch (error) {
    return error;
  }
}

describe('the record as text', () => {
  it.each([
    ['empty', EMPTY_GUARD],
    ['full', full],
  ])('%s comes back as it was', (_, guard) => expect(decodeGuard(encodeGuard(guard))).toEqual(guard));

  it.each([undefined, null])('a missing row (%s) is an empty record', (text) => expect(decodeGuard(text)).toEqual(EMPTY_GUARD));

  it('a field that the row does not have yet reads as its default', () => {
    expect(decodeGuard('{}')).toEqual(EMPTY_GUARD);
    expect(decodeGuard('{"view":null,"lease":null,"tokens":{"rest":null}}')).toEqual(EMPTY_GUARD);
    expect(decodeGuard('{"lease":{"sinceMs":5}}').lease).toEqual({ attemptId: '', fence: 0, path: 'none', sinceMs: 5 });
    expect(decodeGuard('{"paths":{"a":{"sinceMs":5,"periodMs":6}}}').paths.a).toMatchObject({ failures: 0, reason: 'unknown' });
  });

  it('members that a newer version wrote survive reading and writing', () => {
    const text = encodeGuard(full).replace('{', '{"later":{"x":1},').replace('"reason":"rate"', '"reason":"rate","later":2');
    const { guard } = reduceGuard(decodeGuard(text), { type: 'renew', fence: 7 }, NOW + 1);
    expect(JSON.parse(encodeGuard(guard))).toMatchObject({
      later: { x: 1 },
      paths: { summarizer: { later: 2 } },
      lease: { sinceMs: NOW + 1 },
    });
  });

  it('a path may have any name', () => {
    const paths = JSON.parse('{"__proto__":{"failures":1,"sinceMs":1,"periodMs":1,"deadlineMs":1,"reason":"rate"}}') as Guard['paths'];
    expect(Object.keys(decodeGuard(encodeGuard(guardWith({ paths }))).paths)).toEqual(['__proto__']);
  });

  it('what the reducer writes can be read, also after a failure without a deadline', () => {
    const failed = [{ path: 'a', deadlineMs: Number.POSITIVE_INFINITY, reason: 'network' }];
    const { guard } = reduceGuard(full, { type: 'end-failed', fence: 7, failed, isAborted: false }, NOW);
    expect(decodeGuard(encodeGuard(guard))).toEqual(guard);
    expect(reduceGuard(guard, { type: 'claim', ask: askWith(), attemptId: 'b', path: 'a' }, NOW).status).toBe('refused');
  });
});

describe('a number that JSON has no word for', () => {
  const withStep = (step: number): Guard => guardWith({ tokens: unitWith({ rest: restWith({ step }) }) });

  it('endless is as far as one can count', () => {
    const { guard } = reduceGuard(EMPTY_GUARD, { type: 'undo', viewId: 'v1', size: 5, usable: Number.POSITIVE_INFINITY, minGain: 1 }, NOW);
    expect(decodeGuard(encodeGuard(guard)).tokens.rest?.step).toBe(Number.MAX_SAFE_INTEGER);
  });

  it.each([Number.NaN, Number.NEGATIVE_INFINITY])('%s is not written: the record could never be read again', (step) => {
    expect(() => encodeGuard(withStep(step))).toThrow(expect.objectContaining({ code: 'internal' }));
  });
});

describe('a damaged text', () => {
  it.each([
    '',
    'null',
    '[]',
    '"text"',
    '{"version":1',
    '{"version":-1}',
    '{"version":1.5}',
    '{"fence":"7"}',
    '{"strikes":true}',
    '{"view":5}',
    '{"lease":[]}',
    '{"lease":{}}',
    '{"lease":{"sinceMs":"now"}}',
    '{"pending":{"mark":1,"sinceMs":1}}',
    '{"proof":{"size":1,"mark":1,"models":"m"}}',
    '{"proof":{"size":1,"mark":1,"models":[1]}}',
    '{"tokens":[]}',
    '{"tokens":{"refills":-1}}',
    '{"tokens":{"rest":{"reason":"tired","sinceMs":1,"periodMs":1,"size":1,"step":1}}}',
    '{"messages":{"rest":{"reason":"refill","sinceMs":1,"periodMs":1,"size":1}}}',
    '{"messages":{"last":{"mark":1}}}',
    '{"paths":{"a":5}}',
    '{"paths":{"a":{"failures":1}}}',
  ])('%s is store_corrupt', (text) => {
    const error = fault(text);
    expect(UllageError.is(error) && error.code).toBe('store_corrupt');
  });

  it('names the field', () => {
    const error = fault('{"tokens":{"refills":-1}}');
    expect(error).toMatchObject({ message: expect.stringContaining('tokens.refills'), details: { field: 'tokens.refills' } });
  });
});
