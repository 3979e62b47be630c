/** Attempts in a row that free too little, after which none is made for a while. A limit. */
const mostStrikes = 3;
/** The share of the tokens that an attempt has to free. A limit. */
const minReduction = 0.05;
/** How long none is made, in ms. A limit. */
const coolDownMs = 60_000;

export interface BreakerState {
  readonly strikes: number;
  /** Ms since epoch; missing if the breaker never opened. */
  readonly openUntil?: number | undefined;
  readonly tokens: number;
}

/** A conversation that has grown to this percentage is worth another try before the time is over. */
const growthPercent = 110;

/** Stops a series of attempts that free next to nothing. After several in a row, none is made until some time has passed or the view has grown. */
export class CircuitBreaker {
  state: BreakerState = { strikes: 0, tokens: 0 };

  /** @param what what is tried, in the plural */
  constructor(readonly what = 'compressions') {}

  reason(now: number, tokens?: number): string | undefined {
    const { strikes, openUntil, tokens: before } = this.state;
    if (openUntil === undefined || now >= openUntil) return undefined;
    if (tokens !== undefined && tokens * 100 >= before * growthPercent) return undefined;
    return `cooling down: the last ${strikes} ${this.what} freed next to nothing`;
  }

  record(reduction: number, now: number, tokens = 0): void {
    const strikes = reduction < minReduction ? this.state.strikes + 1 : 0;
    const isOpen = strikes >= mostStrikes;
    this.state = { ...this.state, strikes, ...(isOpen && { openUntil: now + coolDownMs, tokens }) };
  }

  reset(): void {
    this.state = { strikes: 0, tokens: this.state.tokens };
  }
}
