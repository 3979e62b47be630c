import type { Wait } from '@ctx/core';
import { ModelError } from './chat-model.js';

/** Aborts when the caller does, when the whole attempt takes too long, or when nothing arrives for too long. */
export class Clock {
  readonly #controller = new AbortController();
  readonly #stopWhole: () => void;
  #stopIdle: () => void;
  readonly #follow: () => void;
  expired: ModelError | undefined;

  constructor(
    readonly caller: AbortSignal,
    timeoutMs: number,
    readonly idleTimeoutMs: number,
    readonly wait: Wait,
  ) {
    caller.throwIfAborted();
    this.#follow = () => this.#controller.abort(caller.reason);
    caller.addEventListener('abort', this.#follow, { once: true });
    this.#stopWhole = wait(timeoutMs, () => this.#expire(`The model took more than ${timeoutMs} ms`));
    this.#stopIdle = this.#waitForNext();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  tick(): void {
    this.#stopIdle();
    this.#stopIdle = this.#waitForNext();
  }

  stop(): void {
    this.#stopWhole();
    this.#stopIdle();
    this.caller.removeEventListener('abort', this.#follow);
    this.#controller.abort();
  }

  #waitForNext() {
    return this.wait(this.idleTimeoutMs, () =>
      this.#expire(`The model sent nothing for ${this.idleTimeoutMs} ms`),
    );
  }

  #expire(problem: string): void {
    this.expired = new ModelError('timeout', problem);
    this.#controller.abort(this.expired);
  }
}
