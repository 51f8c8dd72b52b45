import { describe, expect, test } from 'vitest';
import { pairedLead } from './paired.ts';

describe('the lead over another on the same transcripts', () => {
  test('is clear when every transcript agrees, though the two overlap', () => {
    const lead = pairedLead([0.2, 0.5, 0.9, 0.4], [0.1, 0.35, 0.8, 0.28])!;
    expect(lead).toMatchObject({ mean: expect.closeTo(0.1175), isClear: true, count: 4 });
    expect(lead.low).toBeGreaterThan(0);
    expect(pairedLead([0.1, 0.35, 0.8, 0.28], [0.2, 0.5, 0.9, 0.4])).toMatchObject({ mean: expect.closeTo(-0.1175), isClear: true });
  });

  test('is not clear when transcripts disagree, when there is one, or when nothing differs', () => {
    expect(pairedLead([0.9, 0.1, 0.9, 0.1], [0.1, 0.9, 0.1, 0.8])).toMatchObject({ isClear: false });
    expect(pairedLead([0.9], [0.1])).toMatchObject({ mean: expect.closeTo(0.8), isClear: false });
    expect(pairedLead([0.5, 0.5], [0.5, 0.5])).toMatchObject({ mean: 0, isClear: false });
  });

  test('leaves out transcripts of which one says nothing', () => {
    expect(pairedLead([0.5, undefined, 0.7], [0.4, 0.2, undefined])).toMatchObject({ mean: expect.closeTo(0.1), count: 1 });
    expect(pairedLead([undefined], [0.3])).toBeUndefined();
  });
});
