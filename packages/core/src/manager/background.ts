import { throwIfAborted } from '../base/deadline.js';
import type { CompressionOutcome } from '../compress/record.js';

/** A compression that runs while the host goes on. There is at most one at a time. */
export class Background {
  #running: AbortController | undefined;

  constructor(readonly inTurn: (task: () => Promise<CompressionOutcome>) => Promise<CompressionOutcome>) {}

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /**
   * Starts a compression without waiting for it. Its result is told by the events of every compression.
   * @param signal stops it, also after the call that started it has returned
   * @throws CtxError `aborted` if the signal has aborted; nothing is started then
   */
  start(
    compress: (signal: AbortSignal) => Promise<CompressionOutcome>,
    signal: AbortSignal | undefined,
  ): void {
    throwIfAborted(signal);
    const running = new AbortController();
    const stop = () => running.abort(signal?.reason);
    signal?.addEventListener('abort', stop, { once: true });
    this.#running = running;
    const task = () => {
      throwIfAborted(running.signal);
      return compress(running.signal);
    };
    this.inTurn(async () => task())
      // An overflow is told by an event, and the next check meets it again.
      .catch(() => undefined)
      .finally(() => {
        signal?.removeEventListener('abort', stop);
        if (this.#running === running) this.#running = undefined;
      });
  }

  stop(reason: string): void {
    this.#running?.abort(reason);
  }
}
