import type { CompressionStrategy } from '../view/strategy.js';

/** What a compression is asked to do. */
export interface CompressionRequest {
  readonly stages: readonly CompressionStrategy[];
  /** Tokens to get the request down to, in the provider's measure. */
  readonly targetTokens: number;
  /**
   * A stage that promises the target and gets the request down to this has done enough: those after it would take what it chose to keep.
   * @default the target
   */
  readonly enoughTokens?: number | undefined;
  /**
   * The most tokens of the request, in the provider's measure. What must stay is cut if it is larger by itself.
   * @default the window without a fifth of the reserve
   */
  readonly limitTokens?: number | undefined;
  /** True: what must stay is cut only if the request is larger than `limitTokens` after every stage that spares it. */
  readonly spares?: boolean | undefined;
  /** Messages to get the view down to, if their number matters. */
  readonly targetMessages?: number | undefined;
  readonly reason: string;
  readonly instructions?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * False if someone asked for it by hand: then what was said before the first answer may leave, though the model has not read it.
   * @default true
   */
  readonly automatic?: boolean | undefined;
  /** Skips stages that made no progress on a view that has not grown since. */
  readonly skipStalled?: boolean;
  /** Goes as far as possible, whatever the target. The cost of reading more than the target continues to add up. */
  readonly upkeep?: true | undefined;
}
