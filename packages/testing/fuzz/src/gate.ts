/** A gate at which slow stages wait until it opens. */
export class Gate {
  #open: () => void = () => {};
  #opened: Promise<void> = Promise.resolve();

  constructor() {
    this.close();
  }

  get opened(): Promise<void> {
    return this.#opened;
  }

  /** Lets all that wait now continue. Later arrivals wait for the next call. */
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
