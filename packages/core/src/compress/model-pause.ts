import { CircuitBreaker } from '../budget/circuit-breaker.js';
import type { EditKinds } from '../view/edits/edit-kind.js';
import type { CompressionStrategy } from '../view/strategy.js';
import type { StageReport } from './record.js';

/** True if a strategy may propose what a model has to write. Folding asks none. */
export function mayAskModel({ emits }: CompressionStrategy, kinds: EditKinds): boolean {
  return emits.some((type) => type !== 'fold' && !Object.hasOwn(kinds, type));
}

/**
 * Stops asking models that are paid for summaries and free next to nothing, also while the window is full. Unlike that of
 * compressions, this pause does not end when the view grows, because a model that fails does not recover by that.
 */
export class ModelPause extends CircuitBreaker {
  #error: string | undefined;

  constructor(readonly kinds: EditKinds) {
    super('summaries');
  }

  /** Counts the stages of a compression that asked a model. The view had so many tokens before the first one. */
  add(
    reports: readonly StageReport[],
    strategies: readonly CompressionStrategy[],
    tokens: number,
    now: number,
  ): void {
    const asking = strategies.filter((one) => mayAskModel(one, this.kinds)).map(({ name }) => name);
    let before = tokens;
    for (const stage of reports) {
      if (asking.includes(stage.strategy) && isPaid(stage)) {
        if (stage.error !== undefined) this.#error = stage.error;
        this.record(1 - stage.tokensAfter / Math.max(1, before), now);
      }
      before = stage.tokensAfter;
    }
  }

  reasonFor(strategy: CompressionStrategy, now: number): string | undefined {
    return mayAskModel(strategy, this.kinds) ? this.reason(now) : undefined;
  }

  override reason(now: number): string | undefined {
    const reason = super.reason(now);
    return reason && [reason, ...(this.#error === undefined ? [] : [this.#error])].join(': ');
  }
}

/** A port notes how many `calls` it made. A stage that failed without a note may have paid for some. */
function isPaid({ notes, status }: StageReport): boolean {
  const noted = notes?.resolutions;
  if (!Array.isArray(noted)) return status === 'failed';
  return noted.some((note) => Number(note?.calls) > 0);
}
