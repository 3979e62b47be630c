/** What a request holds, as counted here. */
export interface Counted {
  readonly tokens: number;
  readonly toolCalls: number;
}

/** The provider's figure is about `offset + factor · tokens + perToolCall · toolCalls`. */
export interface Coefficients {
  readonly offset: number;
  readonly factor: number;
  readonly perToolCall: number;
}

export type Learned = 'used' | 'outlier';

/** Plain JSON, for a snapshot. */
export interface CalibrationState {
  readonly mean: readonly number[];
  readonly covariance: readonly (readonly number[])[];
  readonly samples: number;
  readonly outliers: number;
  readonly anchor?: { readonly counted: Counted; readonly reported: number } | undefined;
}

/** Thousand tokens a unit, so that the three coefficients are of like size. */
const unit = 1000;
/** How far the prior may be off, as standard deviations: tokens, tokens per thousand, tokens per call. */
const priorDeviation = [2500, 150, 35];
/** Noise of a report: a share of it, and at least so many tokens. */
const noiseShare = 0.004;
const leastNoise = 40;
/** A report further than this many deviations from what was expected is an outlier. */
const outlierDeviations = 5;
/** After so many outliers in a row the world has changed, and they are believed. */
const outliersBelieved = 3;

/**
 * Learns what a provider bills from the usage it reports: a linear model updated by each report (recursive least
 * squares with a Gaussian prior, that is a Kalman filter with a constant state), which then starts from the last report.
 */
export class Calibration {
  #mean: number[];
  #covariance: number[][];
  #samples = 0;
  #outliers = 0;
  #anchor: CalibrationState['anchor'];

  constructor(prior: Coefficients) {
    this.#mean = [prior.offset, prior.factor * unit, prior.perToolCall];
    this.#covariance = initialCovariance();
  }

  get coefficients(): Coefficients {
    const [offset = 0, factor = unit, perToolCall = 0] = this.#mean;
    return { offset, factor: factor / unit, perToolCall };
  }

  /** Number of reports that were learned from. */
  get samples(): number {
    return this.#samples;
  }

  /** What the provider would bill for a request, in tokens. */
  predict(counted: Counted): number {
    if (this.#anchor === undefined) return Math.max(0, Math.round(dot(this.#mean, features(counted))));
    const [, factor = unit, perToolCall = 0] = this.#mean;
    const { tokens, toolCalls } = this.#anchor.counted;
    const more = (factor / unit) * (counted.tokens - tokens) + perToolCall * (counted.toolCalls - toolCalls);
    return Math.max(0, Math.round(this.#anchor.reported + more));
  }

  /** How many tokens as counted here may stay so that the provider bills `reported` for a request like this one. */
  countedFor(reported: number, like: Counted): number {
    const overhead = Math.min(this.coefficients.offset, reported / 2);
    const predicted = this.predict(like) - overhead;
    if (predicted <= 0 || like.tokens === 0) return Math.floor(reported);
    return Math.max(0, Math.floor(((reported - overhead) * like.tokens) / predicted));
  }

  /** Learns from a report. An outlier is not learned from, but where several follow one another. */
  learn(counted: Counted, reported: number): Learned {
    const x = features(counted);
    const residual = reported - dot(this.#mean, x);
    const noise = Math.max(leastNoise, noiseShare * reported) ** 2;
    const spreadOf = () => this.#covariance.map((row) => dot(row, x));
    let spread = spreadOf();
    if (Math.abs(residual) > outlierDeviations * Math.sqrt(dot(x, spread) + noise)) {
      this.#outliers += 1;
      if (this.#outliers < outliersBelieved) return 'outlier';
      this.#covariance = initialCovariance();
      spread = spreadOf();
    }
    const variance = dot(x, spread) + noise;
    const gain = spread.map((value) => value / variance);
    this.#mean = this.#mean.map((value, i) => value + (gain[i] as number) * residual);
    this.#covariance = this.#covariance.map((row, i) =>
      row.map((value, j) => value - (gain[i] as number) * (spread[j] as number)),
    );
    this.#samples += 1;
    this.#outliers = 0;
    this.#anchor = { counted, reported };
    return 'used';
  }

  /** Forgets where the last report stood, because the view is no longer an extension of what it was for. */
  releaseAnchor(): void {
    this.#anchor = undefined;
  }

  toJSON(): CalibrationState {
    return {
      mean: this.#mean,
      covariance: this.#covariance,
      samples: this.#samples,
      outliers: this.#outliers,
      anchor: this.#anchor,
    };
  }

  static fromJSON(state: CalibrationState): Calibration {
    const calibration = new Calibration({ offset: 0, factor: 1, perToolCall: 0 });
    calibration.#mean = [...state.mean];
    calibration.#covariance = state.covariance.map((row) => [...row]);
    calibration.#samples = state.samples;
    calibration.#outliers = state.outliers;
    calibration.#anchor = state.anchor;
    return calibration;
  }
}

function initialCovariance(): number[][] {
  return priorDeviation.map((deviation, i) => priorDeviation.map((_, j) => (i === j ? deviation ** 2 : 0)));
}

function features({ tokens, toolCalls }: Counted): number[] {
  return [1, tokens / unit, toolCalls];
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] as number), 0);
}
