const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Where compressions wait between two slices until they are let go on, so that other steps can come in between. */
export class Pauses {
  readonly #waiting: (() => void)[] = [];

  /** The `pause` of a manager's slices. */
  readonly pause = (): Promise<void> =>
    new Promise((resolve) => {
      this.#waiting.push(resolve);
    });

  /** Ends pauses, one after the other, until nobody waits or this many have ended. */
  async pass(most = Number.POSITIVE_INFINITY): Promise<void> {
    for (let passed = 0; passed < most; passed += 1) {
      const end = this.#waiting.shift();
      if (end === undefined) return;
      end();
      await turn();
    }
  }
}
