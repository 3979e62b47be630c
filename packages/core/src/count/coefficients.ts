/** The size of a request, as counted here. */
export interface Counted {
  readonly tokens: number;
  readonly toolCalls: number;
}

/** The provider's figure is roughly `offset + factor · tokens + perToolCall · toolCalls`. */
export interface Coefficients {
  readonly offset: number;
  readonly factor: number;
  readonly perToolCall: number;
}

/** What a provider's figures are expected to be before it has reported any. */
export interface Prior extends Coefficients {
  /** Tokens added to a request that has tools. @default 0 */
  readonly withTools?: number | undefined;
}

/** The coefficients of a prior, for requests with or without tools. */
export function coefficientsOf(
  { offset, factor, perToolCall, withTools = 0 }: Prior,
  hasTools: boolean,
): Coefficients {
  return { offset: hasTools ? offset + withTools : offset, factor, perToolCall };
}
