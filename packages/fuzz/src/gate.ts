/** What stages wait for that take their time: they go on when it opens. */
export class Gate {
  #open: () => void = () => {};
  #opened: Promise<void> = Promise.resolve();

  constructor() {
    this.close();
  }

  get opened(): Promise<void> {
    return this.#opened;
  }

  /** Lets all go on that wait now; who comes later waits for the next time. */
  release(): void {
    this.#open();
    this.close();
  }

  private close(): void {
    this.#opened = new Promise((resolve) => {
      this.#open = resolve;
    });
  }
}
