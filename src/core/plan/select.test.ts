// Choices are made by their worth and undone newest first; what is left is what would have been chosen without the rest.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildFacts } from './facts.ts';
import { cutLines } from './lines.ts';
import { printRecords } from './records.ts';
import { Selection } from './select.ts';
import type { Unit } from './units.ts';
import { SOURCE } from './work.ts';

function unitOf(position: number): Unit {
  const rows = Array.from({ length: 12 }, (_, row) => ({ id: `id_${position}_${row}`, about: `${'word '.repeat(row)}x${row}` }));
  const { text, keys, tables } = printRecords(JSON.stringify({ count: 12, rows }))!;
  return { position, label: 'query', handle: 'e_1', texts: [{ kind: SOURCE.record, table: cutLines(text, keys, tables) }] };
}

describe('Selection.drop', () => {
  const facts = buildFacts([0, 1, 2].map(unitOf));

  it('leaves no heading without a row, and no unit open of which no line is left', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ grow: fc.nat(400), drop: fc.nat(200) }), { minLength: 1, maxLength: 6 }), (rounds) => {
        facts.terms.shown.fill(0);
        const selection = new Selection(facts, false);
        const { lines } = facts;
        const price = (): number => {
          let tokens = 0;
          const fresh = new Selection(facts, false);
          for (let line = 0; line < lines.count; line += 1) {
            if (selection.chosen[line] === 0) continue;
            tokens += fresh.price(line);
            fresh.takeLine(line);
          }
          return tokens;
        };
        for (const { grow, drop } of rounds) {
          selection.grow(grow);
          selection.drop(drop);
          for (let line = 0; line < lines.count; line += 1) {
            const isHeading = lines.rowsTo[line]! > 0;
            const rows = selection.chosen.slice(line + 1, lines.rowsTo[line]);
            if (isHeading && selection.chosen[line] === 1) expect(rows).toContain(1);
            if (lines.headingOf[line]! >= 0 && selection.chosen[line] === 1) expect(selection.chosen[lines.headingOf[line]!]).toBe(1);
          }
          lines.units.forEach((_, unit) => {
            const own = selection.chosen.slice(lines.unitFrom[unit], lines.unitFrom[unit + 1]);
            expect(selection.isOpen(unit)).toBe(own.includes(1));
          });
          expect(selection.tokens).toBeCloseTo(price(), 6);
        }
      }),
      { seed: 17, numRuns: 200 },
    );
  });
});

describe('Selection.takeVerbatim', () => {
  it('keeps a unit open whose first line was chosen before, whatever is undone', () => {
    const said = 'First words here.\nNever touch vault_9.\nLast words here.';
    const unit: Unit = { position: 0, label: 'user', handle: 'e_1', texts: [{ kind: SOURCE.user, table: cutLines(said) }], genuine: said };
    const selection = new Selection(buildFacts([unit]), false);
    selection.takeLine(1);
    selection.takeVerbatim(0, said);
    expect(selection.drop(1_000)).toBe(false);
    expect(selection.isOpen(0)).toBe(true);
  });
});
