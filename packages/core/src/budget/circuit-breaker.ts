import * as z from 'zod/mini';
import { atLeast, type Filled, fields, type Given, takes } from '../base/value-forms.js';

const rules = {
  strikes: z._default(atLeast(1, 'compressions'), 3),
  minReduction: z._default(takes('a share from 0 to 1', z.number().check(z.minimum(0), z.maximum(1))), 0.05),
  coolDownMs: z._default(takes('a number of ms, 0 or more', z.number().check(z.minimum(0))), 60_000),
};

export interface BreakerRules extends Filled<typeof rules> {}

export interface GivenRules {
  /** Compressions in a row that free too little, after which checks are skipped for a while. @default 3 */
  strikes?: Given<typeof rules>['strikes'];
  /** The share of the tokens that a compression has to free, 0–1. @default 0.05 */
  minReduction?: Given<typeof rules>['minReduction'];
  /** How long checks are skipped, in ms. @default 60000 */
  coolDownMs?: Given<typeof rules>['coolDownMs'];
}

export const breakerSchema: z.ZodMiniType<BreakerRules, GivenRules> = fields(rules);

/** The state of the breaker as plain JSON, for a snapshot. */
export interface BreakerState {
  readonly strikes: number;
  /** Ms since epoch; missing if the breaker never opened. */
  readonly openUntil?: number | undefined;
  readonly tokens: number;
}

/** A conversation that has grown to this percentage is worth another try before the time is over. */
const growthPercent = 110;

/**
 * Stops a series of attempts that free next to nothing. After several in a row, none is made until some time has
 * passed or the view has grown.
 */
export class CircuitBreaker {
  #strikes = 0;
  #openUntil: number | undefined;
  #tokens = 0;

  /** @param what what is tried, in the plural */
  constructor(
    readonly rules: BreakerRules | false,
    readonly what = 'compressions',
  ) {}

  /** Why a try should be skipped now; undefined if it should not. Without tokens, growth is no reason to try again. */
  reason(now: number, tokens?: number): string | undefined {
    if (this.#openUntil === undefined || now >= this.#openUntil) return undefined;
    if (tokens !== undefined && tokens * 100 >= this.#tokens * growthPercent) return undefined;
    return `cooling down: the last ${this.#strikes} ${this.what} freed next to nothing`;
  }

  /** Records the share of tokens that a try freed, 0–1. */
  record(reduction: number, now: number, tokens = 0): void {
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
