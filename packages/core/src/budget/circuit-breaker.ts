export interface BreakerRules {
  /** So many compressions in a row that free too little, and the next checks are passed over. */
  readonly strikes: number;
  /** The share of the tokens that a compression has to free not to be a strike, 0–1. */
  readonly minReduction: number;
  /** For how long, in ms. */
  readonly coolDownMs: number;
}

/** Plain JSON, for a snapshot. */
export interface BreakerState {
  readonly strikes: number;
  /** Ms since epoch; missing where it never opened. */
  readonly openUntil?: number | undefined;
  readonly tokens: number;
}

/** What a conversation must have grown to, to be worth another try before the time is over. */
const growthPercent = 110;

/** Ends a run of compressions that free next to nothing: after some in a row, none is tried until time has passed or the view has grown. */
export class CircuitBreaker {
  #strikes = 0;
  #openUntil: number | undefined;
  #tokens = 0;

  constructor(readonly rules: BreakerRules | false) {}

  /** Why a check is to be passed over now, if it is. */
  reason(now: number, tokens: number): string | undefined {
    if (
      this.#openUntil === undefined ||
      now >= this.#openUntil ||
      tokens * 100 >= this.#tokens * growthPercent
    )
      return undefined;
    return `cooling down: the last ${this.#strikes} compressions freed next to nothing`;
  }

  /** Takes the share that a compression freed, 0–1. */
  record(reduction: number, now: number, tokens: number): void {
    if (this.rules === false) return;
    this.#strikes = reduction < this.rules.minReduction ? this.#strikes + 1 : 0;
    if (this.#strikes < this.rules.strikes) return;
    this.#openUntil = now + this.rules.coolDownMs;
    this.#tokens = tokens;
  }

  reset(): void {
    this.#strikes = 0;
    this.#openUntil = undefined;
  }

  get state(): BreakerState {
    return { strikes: this.#strikes, openUntil: this.#openUntil, tokens: this.#tokens };
  }

  resume({ strikes, openUntil, tokens }: BreakerState): void {
    this.#strikes = strikes;
    this.#openUntil = openUntil;
    this.#tokens = tokens;
  }
}
