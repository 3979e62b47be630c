import { grown } from './array-growth.js';
import { Forms } from './forms.js';
import { IntLists } from './int-lists.js';

/** The smallest part of a text that can be kept by itself. */
export interface Unit {
  /** The position of its block in the section. */
  readonly block: number;
  /** Its offsets in the block's text. */
  readonly start: number;
  readonly end: number;
  /** Ids of its terms. */
  readonly terms: readonly number[];
  /** Whether it follows the unit before it with no blank line in between. Then the two make more sense together. */
  readonly goesOn: boolean;
  /** Whether it is a part of JSON, which says more by itself than a line of a text does. */
  readonly isJson: boolean;
  /** A factor on its worth. */
  readonly weight: number;
  /** The number of its form; -1 if it has none. @default -1 */
  readonly form?: number;
}

/** Columns of a unit: fields of `Unit`, and flags. */
const width = 5;
const blockColumn = 0;
const startColumn = 1;
const endColumn = 2;
const flagsColumn = 3;
const formColumn = 4;
const goesOnFlag = 1;
const jsonFlag = 2;

/** Units for which there is room at first. */
const roomAtFirst = 16;

/**
 * Units as columns of numbers, by their places in the table. A conversation has a hundred thousand units, and as objects they would keep
 * the garbage collector busy. The table grows at its end and never changes what it holds, so others may read it meanwhile.
 */
export class UnitTable {
  /** The terms of each unit, by its place. */
  readonly terms = new IntLists();
  /** Of the units, by their places. */
  readonly forms = new Forms();
  #size = 0;
  #rows = new Int32Array(roomAtFirst * width);
  #weights = new Float64Array(roomAtFirst);

  /** The number of units. */
  get size(): number {
    return this.#size;
  }

  /** Adds a unit at the end. */
  add(unit: Unit): void {
    const place = this.#size;
    const row = place * width;
    if (place === this.#weights.length) {
      this.#weights = grown(this.#weights, place + 1);
      this.#rows = grown(this.#rows, this.#weights.length * width);
    }
    const rows = this.#rows;
    rows[row + blockColumn] = unit.block;
    rows[row + startColumn] = unit.start;
    rows[row + endColumn] = unit.end;
    rows[row + flagsColumn] = (unit.goesOn ? goesOnFlag : 0) | (unit.isJson ? jsonFlag : 0);
    rows[row + formColumn] = unit.form ?? -1;
    this.#weights[place] = unit.weight;
    this.terms.add(unit.terms);
    this.#size = place + 1;
  }

  unit(place: number): Unit {
    return {
      block: this.block(place),
      start: this.start(place),
      end: this.end(place),
      terms: [...this.terms.itemsOf(place)],
      goesOn: this.goesOn(place),
      isJson: this.isJson(place),
      weight: this.weight(place),
      form: this.form(place),
    };
  }

  block(place: number): number {
    return this.#rows[place * width + blockColumn] as number;
  }

  start(place: number): number {
    return this.#rows[place * width + startColumn] as number;
  }

  end(place: number): number {
    return this.#rows[place * width + endColumn] as number;
  }

  goesOn(place: number): boolean {
    return ((this.#rows[place * width + flagsColumn] as number) & goesOnFlag) !== 0;
  }

  isJson(place: number): boolean {
    return ((this.#rows[place * width + flagsColumn] as number) & jsonFlag) !== 0;
  }

  form(place: number): number {
    return this.#rows[place * width + formColumn] as number;
  }

  /** A factor, 0–1, that is small for one of many units that differ in nothing but numbers and ids. */
  formWeight(place: number): number {
    const form = this.form(place);
    return form < 0 ? 1 : this.forms.weight(form, place);
  }

  weight(place: number): number {
    return this.#weights[place] as number;
  }
}
