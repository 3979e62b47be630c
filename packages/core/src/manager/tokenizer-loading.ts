import { type Limits, throwIfAborted, within } from '../base/deadline.js';
import { preview } from '../base/errors.js';
import type { MessageCounter } from '../count/count.js';

/**
 * Loads a manager's tokenizer on first use, and then counts everything in slices. Estimates are used until then, and if
 * loading fails or takes longer than `timeoutMs`.
 */
export class TokenizerLoading {
  /** Why figures are estimates; undefined if they are not. */
  warning: string | undefined;
  /** True while a tokenizer is still loading after the wait for it timed out. */
  #overdue = false;

  /**
   * @param countAhead counts what the manager holds; see `MessageCounter.ahead`
   * @param onEnd called when a load has ended, even if nobody waits for it any more
   */
  constructor(
    readonly counter: MessageCounter,
    readonly limits: Limits,
    readonly countAhead: (signal: AbortSignal | undefined) => Promise<void>,
    readonly onEnd: () => void,
  ) {}

  /**
   * Waits until the tokenizer is loaded. Does not wait again for one that is overdue.
   * @throws CtxError `aborted`
   */
  async wait(signal?: AbortSignal): Promise<void> {
    if (this.#overdue ? this.counter.loaded : !this.counter.isEstimating) return this.#end();
    if (this.#overdue) return;
    this.counter.isHeld = true;
    let errors: readonly unknown[] = [];
    try {
      errors = await this.#load(signal);
      if (errors.length === 0) await this.countAhead(signal);
    } catch (error) {
      // Whoever waits next counts what is left. At once it would take too long.
      throwIfAborted(signal);
      this.warning = estimating(error);
      this.#overdue = true;
    }
    this.counter.isHeld = false;
    if (!this.#overdue) this.#end(...errors);
  }

  async #load(signal: AbortSignal | undefined): Promise<readonly unknown[]> {
    const loading = this.counter.load().then(
      () => [],
      (error: unknown) => [error],
    );
    loading.then((errors) => {
      if (this.#overdue) this.#end(...errors);
    });
    return within({ ...this.limits, signal }, () => loading);
  }

  #end(...errors: readonly unknown[]): void {
    this.#overdue = false;
    this.warning = errors.map(estimating)[0];
    this.onEnd();
  }
}

function estimating(error: unknown): string {
  return `The tokenizer could not be loaded, so figures are estimates: ${preview(String(error))}`;
}
