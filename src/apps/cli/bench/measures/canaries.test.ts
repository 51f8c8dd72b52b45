import { describe, expect, test } from 'vitest';
import { filler, madeTranscript, type Said } from '../testing/made-transcript.ts';
import { plantCanaries } from './canaries.ts';

describe('canaries', () => {
  const session = (result: string): readonly Said[] => [
    { user: 'look at everything' },
    ...Array.from({ length: 20 }, (_, index): Said => ({ call: { command: `step ${index}` }, result: `${filler(40)} ${result}` })),
    { agent: 'half of it is done' },
    { user: 'go on' },
    ...Array.from({ length: 20 }, (): Said => ({ call: { command: 'step' }, result })),
  ];
  const planted = (result: string) => {
    const transcript = madeTranscript(session(result));
    return plantCanaries(transcript, transcript.entries.length);
  };

  test('are planted once each, the same every time', () => {
    const { canaries, entries } = planted('ok');
    const text = entries.map(({ message }) => message.raw).join('\n');
    expect(canaries.length).toBeGreaterThan(10);
    for (const { value } of canaries) expect(text.split(value)).toHaveLength(2);
    expect(planted('ok').canaries).toEqual(canaries);
  });

  test('are no numbers that the transcript holds already', () => {
    const taken = planted('ok').canaries.map(({ value }) => value.replaceAll(/\D/g, ''));
    const { canaries } = planted(taken.join(' '));
    expect(canaries.filter(({ value }) => taken.includes(value.replaceAll(/\D/g, '')))).toEqual([]);
  });
});
