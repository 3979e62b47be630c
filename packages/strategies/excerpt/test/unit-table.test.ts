import fc from 'fast-check';
import { UnitList } from '../src/unit-list.js';
import { type Unit, UnitTable } from '../src/unit-table.js';

const offset = fc.nat(2 ** 31 - 1);
const arbitraryUnit: fc.Arbitrary<Unit> = fc.record({
  block: fc.nat(9),
  start: offset,
  end: offset,
  terms: fc.array(offset, { maxLength: 5 }),
  goesOn: fc.boolean(),
  isJson: fc.boolean(),
  isBulk: fc.boolean(),
  weight: fc.double({ noNaN: true }),
  form: fc.integer({ min: -1, max: 99 }),
});
const units = fc.array(arbitraryUnit, { maxLength: 200 });

test('a table holds every unit as it was added, however much is added later', () => {
  fc.assert(
    fc.property(units, units, (first, later) => {
      const table = new UnitTable();
      for (const unit of first) table.add(unit);
      const terms = table.terms.itemsOf(0, first.length);
      for (const unit of later) table.add(unit);
      const all = [...first, ...later];
      expect(all.map((_, place) => table.unit(place))).toEqual(all);
      expect(terms.flatMap((some) => [...some])).toEqual(first.flatMap((unit) => unit.terms));
      const copied = new Int32Array(table.terms.totalOf(0, all.length));
      const end = all.reduce((position, _, place) => table.terms.copy(place, copied, position), 0);
      expect([...copied]).toEqual(all.flatMap((unit) => unit.terms));
      expect(end).toBe(copied.length);
    }),
  );
});

test('a list has the units of its stretches, and none that lie between them', () => {
  const stretches = fc.array(fc.record({ own: units, between: units }), { maxLength: 4 });
  fc.assert(
    fc.property(stretches, (some) => {
      const table = new UnitTable();
      let list = new UnitList(table, 0, 0);
      const lists: UnitList[] = [];
      for (const { own, between } of some) {
        for (const unit of between) table.add(unit);
        const first = table.size;
        for (const unit of own) table.add(unit);
        list = new UnitList(table, first, table.size, list);
        lists.push(list);
      }
      for (const [at, one] of lists.entries()) {
        const expected = some.slice(0, at + 1).flatMap(({ own }) => own);
        const terms = expected.flatMap((unit) => unit.terms);
        expect([...one]).toEqual(expected);
        expect(one.length).toBe(expected.length);
        expect(one.terms.flatMap((few) => [...few])).toEqual(terms);
        expect(one.termCount).toBe(terms.length);
      }
    }),
    { numRuns: 17 },
  );
});

test('a list of units has a table of its own', () => {
  fc.assert(fc.property(units, (some) => expect([...UnitList.of(some)]).toEqual(some)));
});
