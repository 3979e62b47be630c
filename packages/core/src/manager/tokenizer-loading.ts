import { startDeadline, throwIfAborted } from '../base/deadline.js';
import { preview } from '../base/errors.js';
import type { MessageCounter } from '../count/count.js';

/** Loads a manager's tokenizer when it is first needed. Where that can't be, or takes longer than `timeoutMs`, estimates have to do. */
export class TokenizerLoading {
  /** Why figures are estimates, if they are. */
  warning: string | undefined;
  /** It was waited for in vain, and is still being loaded. */
  #overdue = false;

  /** @param onEnd is told when a load has ended, also one that is no longer waited for */
  constructor(
    readonly counter: MessageCounter,
    readonly timeoutMs: number,
    readonly onEnd: () => void,
  ) {}

  /**
   * Waits for it, but not again for one that is overdue.
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
