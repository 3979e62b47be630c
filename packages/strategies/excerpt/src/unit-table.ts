import { Forms } from './forms.js';
import { IntColumn } from './int-column.js';
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
  /** Whether it is one of many alike that follow each other. @default false */
  readonly isBulk?: boolean;
  /** A factor on its worth. */
  readonly weight: number;
  /** The number of its form; -1 if it has none. @default -1 */
  readonly form?: number;
}

/** Columns of a unit: fields of `Unit`, with flags and the weight in one. */
const width = 5;
const blockColumn = 0;
const startColumn = 1;
const endColumn = 2;
const flagsColumn = 3;
const formColumn = 4;
const goesOnFlag = 1;
const jsonFlag = 2;
const bulkFlag = 4;
/** Above the flags stands the number of the unit's weight. */
const weightShift = 3;

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
  readonly #rows = new IntColumn();
  /** The weights that units have, which are few. */
  readonly #weights: number[] = [];

  /** The number of units. */
  get size(): number {
    return this.#size;
  }

  /** Adds a unit at the end. */
  add(unit: Unit): void {
    const place = this.#size;
    const row = place * width;
    const rows = this.#rows;
    const flags =
      (unit.goesOn ? goesOnFlag : 0) | (unit.isJson ? jsonFlag : 0) | (unit.isBulk ? bulkFlag : 0);
    rows.set(row + blockColumn, unit.block);
    rows.set(row + startColumn, unit.start);
    rows.set(row + endColumn, unit.end);
    rows.set(row + flagsColumn, flags | (this.#numberOfWeight(unit.weight) << weightShift));
    rows.set(row + formColumn, unit.form ?? -1);
    this.terms.add(unit.terms);
    this.#size = place + 1;
  }

  unit(place: number): Unit {
    return {
      block: this.block(place),
      start: this.start(place),
      end: this.end(place),
      terms: this.terms.itemsOf(place).flatMap((some) => [...some]),
      goesOn: this.goesOn(place),
      isJson: this.isJson(place),
      isBulk: this.isBulk(place),
      weight: this.weight(place),
      form: this.form(place),
    };
  }

  block(place: number): number {
    return this.#rows.at(place * width + blockColumn);
  }

  start(place: number): number {
    return this.#rows.at(place * width + startColumn);
  }

  end(place: number): number {
    return this.#rows.at(place * width + endColumn);
  }

  goesOn(place: number): boolean {
    return (this.#rows.at(place * width + flagsColumn) & goesOnFlag) !== 0;
  }

  isJson(place: number): boolean {
    return (this.#rows.at(place * width + flagsColumn) & jsonFlag) !== 0;
  }

  isBulk(place: number): boolean {
    return (this.#rows.at(place * width + flagsColumn) & bulkFlag) !== 0;
  }

  form(place: number): number {
    return this.#rows.at(place * width + formColumn);
  }

  /** A factor, 0–1, that is small for one of many units that differ in nothing but numbers and ids. */
  formWeight(place: number): number {
    const form = this.form(place);
    return form < 0 ? 1 : this.forms.weight(form, place);
  }

  weight(place: number): number {
    return this.#weights[this.#rows.at(place * width + flagsColumn) >> weightShift] as number;
  }

  #numberOfWeight(weight: number): number {
    const known = this.#weights.findIndex((one) => Object.is(one, weight));
    return known < 0 ? this.#weights.push(weight) - 1 : known;
  }
}
