import { ModelError } from './chat-model.js';

/** Aborts when the caller does, when the whole attempt takes too long, or when nothing arrives for too long. */
export class Clock {
  readonly #controller = new AbortController();
  readonly #whole: ReturnType<typeof setTimeout>;
  #idle: ReturnType<typeof setTimeout>;
  readonly #follow: () => void;
  expired: ModelError | undefined;

  constructor(
    readonly caller: AbortSignal,
    timeoutMs: number,
    readonly idleTimeoutMs: number,
  ) {
    caller.throwIfAborted();
    this.#follow = () => this.#controller.abort(caller.reason);
    caller.addEventListener('abort', this.#follow, { once: true });
    this.#whole = setTimeout(() => this.#expire(`The model took more than ${timeoutMs} ms`), timeoutMs);
    this.#idle = this.#waitForNext();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  tick(): void {
    clearTimeout(this.#idle);
    this.#idle = this.#waitForNext();
  }

  stop(): void {
    clearTimeout(this.#whole);
    clearTimeout(this.#idle);
    this.caller.removeEventListener('abort', this.#follow);
    this.#controller.abort();
  }

  #waitForNext() {
    return setTimeout(
      () => this.#expire(`The model sent nothing for ${this.idleTimeoutMs} ms`),
      this.idleTimeoutMs,
    );
  }

  #expire(problem: string): void {
    this.expired = new ModelError('timeout', problem);
    this.#controller.abort(this.expired);
  }
}
