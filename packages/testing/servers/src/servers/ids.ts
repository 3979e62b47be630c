/** Ids in the order in which they are made, so that a run can be repeated. */
export class Ids {
  #count = 0;

  next(prefix: string): string {
    this.#count += 1;
    return `${prefix}${String(this.#count).padStart(24, '0')}`;
  }
}
