import { startDeadline, throwIfAborted } from '../base/deadline.js';
import { preview } from '../base/errors.js';
import type { MessageCounter } from '../count/count.js';

/** Loads a manager's tokenizer on first use. Estimates are used if that fails or takes longer than `timeoutMs`. */
export class TokenizerLoading {
  /** Why figures are estimates; undefined if they are not. */
  warning: string | undefined;
  /** True while a tokenizer is still loading after the wait for it timed out. */
  #overdue = false;

  /** @param onEnd called when a load has ended, even if nobody waits for it any more */
  constructor(
    readonly counter: MessageCounter,
    readonly timeoutMs: number,
    readonly onEnd: () => void,
  ) {}

  /**
   * Waits until the tokenizer is loaded. Does not wait again for one that is overdue.
   * @throws CtxError `aborted`
   */
  async wait(signal?: AbortSignal): Promise<void> {
    if (this.counter.loaded) return this.#end();
    if (this.#overdue) return;
    const loading = this.counter.load().then(
      () => this.#end(),
      (error) => this.#end(error),
    );
    const deadline = startDeadline({ signal, timeoutMs: this.timeoutMs });
    try {
      await deadline.run(() => loading);
    } catch (error) {
      throwIfAborted(signal);
      this.warning = estimating(error);
      this.#overdue = true;
    } finally {
      deadline.end();
    }
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
