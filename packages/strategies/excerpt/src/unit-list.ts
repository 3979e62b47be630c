import { type Unit, UnitTable } from './unit-table.js';

/**
 * The units of a section, in order. They are in stretches of a table: the units of a call, and later those of its result. A list never
 * changes.
 */
export class UnitList implements Iterable<Unit> {
  readonly length: number;
  readonly #first: number;
  readonly #end: number;
  readonly #before: UnitList | undefined;

  /**
   * @param table holds the units
   * @param first the place of the first unit in the table
   * @param end the place after the last unit
   * @param before the units before them, from the same table
   */
  constructor(
    readonly table: UnitTable,
    first: number,
    end: number,
    before?: UnitList,
  ) {
    this.length = (before?.length ?? 0) + end - first;
    this.#first = first;
    this.#end = end;
    this.#before = before?.length === 0 ? undefined : before;
  }

  /** A list of these units. */
  static of(units: Iterable<Unit>): UnitList {
    const table = new UnitTable();
    for (const unit of units) table.add(unit);
    return new UnitList(table, 0, table.size);
  }

  /** The unit at a position of the list, as an object. */
  at(position: number): Unit {
    return this.table.unit(this.placeOf(position));
  }

  *[Symbol.iterator](): Iterator<Unit> {
    for (let position = 0; position < this.length; position += 1) yield this.at(position);
  }

  /** The place in the table of the unit at a position. */
  placeOf(position: number): number {
    const before = this.#before;
    if (before === undefined) return this.#first + position;
    return position < before.length ? before.placeOf(position) : this.#first + position - before.length;
  }

  /** The units of one block, which follow each other in the table. */
  ofBlock(block: number): UnitList {
    const first = this.#firstFrom(block);
    const end = this.#firstFrom(block + 1);
    if (first === end) return new UnitList(this.table, 0, 0);
    return new UnitList(this.table, this.placeOf(first), this.placeOf(end - 1) + 1);
  }

  /** The position of the first unit of a block, or of one after it. */
  #firstFrom(block: number): number {
    let [low, high] = [0, this.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.table.block(this.placeOf(middle)) < block) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The number of terms of all units. */
  get termCount(): number {
    const own = this.table.terms.totalOf(this.#first, this.#end);
    return (this.#before?.termCount ?? 0) + own;
  }

  /** The terms of all units, in a few lists. A term is in it once for each unit that has it. */
  get terms(): readonly Int32Array[] {
    const own = this.table.terms.itemsOf(this.#first, this.#end);
    return this.#before === undefined ? own : [...this.#before.terms, ...own];
  }
}
