import { type Coefficients, type Counted, expectedFor, type usageBounds } from './coefficients.js';
import { type UsageReport, UsageTrail } from './usage-trail.js';

/** `implausible`: no honest provider reports it, so it is never believed. `outlier`: believed only if other reports agree. */
export type Learned = 'used' | 'outlier' | 'implausible';

export interface CalibrationState {
  readonly mean: readonly number[];
  readonly covariance: readonly (readonly number[])[];
  readonly samples: number;
  readonly anchor?: UsageReport | undefined;
  readonly reports: readonly UsageReport[];
}

/** Tokens are counted in thousands, so that the four coefficients are of similar size. */
const unit = 1000;
/** How far off the prior may be, as standard deviations: tokens, tokens per thousand, tokens per call, tokens per thousand for images. */
const priorDeviation = [2500, 150, 35, 1500];
/** Noise of a report: a share of its figure, but at least this many tokens. */
const noiseShare = 0.004;
const leastNoise = 40;
/** A report further than this many standard deviations from the expected figure is an outlier. */
const outlierDeviations = 5;
/**
 * Learns what a provider bills from the usage it reports. The model is linear and updated by each report (recursive
 * least squares with a Gaussian prior, that is, a Kalman filter with a constant state). Predictions start from the last
 * report. A report is believed only if it is possible, close to the expected figure and consistent with earlier
 * reports.
 */
export class Calibration {
  readonly #trail: UsageTrail;
  /** Undefined until something was learned: then the prior counts. */
  #learned:
    | { readonly mean: readonly number[]; readonly covariance: readonly (readonly number[])[] }
    | undefined;
  samples = 0;
  #anchor: UsageReport | undefined;

  /**
   * @param prior what is expected as long as nothing was learned
   * @param boundsOf what a provider may bill for a request
   */
  constructor(
    readonly prior: () => Coefficients,
    readonly boundsOf: (counted: Counted) => ReturnType<typeof usageBounds>,
    state?: CalibrationState,
  ) {
    this.#learned = state?.samples ? state : undefined;
    this.samples = state?.samples ?? 0;
    this.#anchor = state?.anchor;
    this.#trail = new UsageTrail(prior, coefficientsIn(priorDeviation), noiseOf, state?.reports);
  }

  get #mean(): readonly number[] {
    if (this.#learned !== undefined) return this.#learned.mean;
    const { offset, factor, perToolCall, perImageToken = 1 } = this.prior();
    return [offset, factor * unit, perToolCall, perImageToken * unit];
  }

  get #covariance(): readonly (readonly number[])[] {
    return this.#learned?.covariance ?? initialCovariance;
  }

  get coefficients(): Coefficients {
    return coefficientsIn(this.#mean);
  }

  /** True if the newest reports contradict one another. Nothing is then learned from them. */
  get isErratic(): boolean {
    return this.#trail.isErratic;
  }

  /** Predicts what the provider would bill for a request, in tokens. Always within the bounds. */
  predict(counted: Counted): number {
    const { coefficients } = this;
    const anchor = this.#anchor;
    if (anchor === undefined) return this.#bounded(counted, dot(this.#mean, features(counted)));
    const since = expectedFor(coefficients, counted) - expectedFor(coefficients, anchor.counted);
    return this.#bounded(counted, anchor.reported + since);
  }

  #bounded(counted: Counted, predicted: number): number {
    const { least, most } = this.boundsOf(counted);
    return Math.max(0, Math.round(Math.min(most, Math.max(least, predicted))));
  }

  /** A target: roughly how many tokens, as counted here, a request like this one may keep so that the provider bills `reported`. */
  countedFor(reported: number, like: Counted): number {
    const overhead = Math.max(-reported / 2, Math.min(this.coefficients.offset, reported / 2));
    const predicted = this.predict(like) - overhead;
    if (predicted <= 0 || like.tokens === 0) return Math.floor(reported);
    return Math.max(0, Math.floor(((reported - overhead) * like.tokens) / predicted));
  }

  /**
   * A bound: how many tokens, as counted here, a request like this one may have so that the provider bills at most
   * `limit`. The bound also holds without the last report, because a compression releases the anchor.
   */
  countedWithin(limit: number, { tokens: like, toolCalls, imageTokens = 0 }: Counted): number {
    const imageShare = imageTokens / Math.max(1, like);
    const fits = (tokens: number) => {
      const counted = { tokens, toolCalls, imageTokens: imageShare * tokens };
      return (
        this.predict(counted) <= limit && this.#bounded(counted, dot(this.#mean, features(counted))) <= limit
      );
    };
    let [low, high] = [0, Math.min(2 ** 52, Math.ceil(limit * leastFactor))];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (fits(middle)) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /**
   * Learns from a report. Ignores an outlier unless three reports agree, or five if they would leave hardly any room;
   * then it forgets everything else and learns from those. If the newest reports contradict one another, it forgets
   * everything it has learned.
   */
  learn(counted: Counted, reported: number): Learned {
    const report = { counted, reported };
    this.#trail.add(report);
    const isPossible = this.#isPossible(report);
    if (isPossible && this.#trail.isSteady && this.#isExpected(report)) {
      this.#update(report);
      this.#anchor = report;
      return 'used';
    }
    const { likely, roomy } = this.boundsOf(counted);
    const agreeing = this.#trail.newestInAgreement({ isLikely: reported <= Math.max(likely, roomy) });
    if (agreeing?.every((one) => this.#isPossible(one))) {
      this.#forget();
      for (const one of agreeing) this.#update(one);
      this.#anchor = report;
      return 'used';
    }
    if (this.#trail.isErratic) this.#forget();
    return isPossible ? 'outlier' : 'implausible';
  }

  #isPossible({ counted, reported }: UsageReport): boolean {
    const { least, most } = this.boundsOf(counted);
    return reported >= least && reported <= most;
  }

  #isExpected({ counted, reported }: UsageReport): boolean {
    if (reported > this.boundsOf(counted).likely) return false;
    const x = features(counted);
    const spread = this.#covariance.map((row) => dot(row, x));
    const deviation = Math.sqrt(dot(x, spread) + noiseOf(reported) ** 2);
    return Math.abs(reported - dot(this.#mean, x)) <= outlierDeviations * deviation;
  }

  #update({ counted, reported }: UsageReport): void {
    const x = features(counted);
    const residual = reported - dot(this.#mean, x);
    const spread = this.#covariance.map((row) => dot(row, x));
    const variance = dot(x, spread) + noiseOf(reported) ** 2;
    const gain = spread.map((value) => value / variance);
    this.#learned = {
      mean: this.#mean.map((value, i) => value + (gain[i] as number) * residual),
      covariance: this.#covariance.map((row, i) =>
        row.map((value, j) => value - (gain[i] as number) * (spread[j] as number)),
      ),
    };
    this.samples += 1;
  }

  #forget(): void {
    this.#learned = undefined;
    this.samples = 0;
    this.#anchor = undefined;
  }

  /** Forgets the last report, because the view no longer extends the one it was for. */
  releaseAnchor(): void {
    this.#anchor = undefined;
    this.#trail.clear();
  }

  toJSON(): CalibrationState {
    return {
      mean: this.#mean,
      covariance: this.#covariance,
      samples: this.samples,
      anchor: this.#anchor,
      reports: this.#trail.reports,
    };
  }
}

/** The search assumes that no provider bills less than a quarter of what is counted here. */
const leastFactor = 4;

function coefficientsIn([
  offset = 0,
  factor = unit,
  perToolCall = 0,
  perImageToken = unit,
]: readonly number[]) {
  return { offset, factor: factor / unit, perToolCall, perImageToken: perImageToken / unit };
}

function noiseOf(reported: number): number {
  return Math.max(leastNoise, noiseShare * reported);
}

const initialCovariance = priorDeviation.map((deviation, i) =>
  priorDeviation.map((_, j) => (i === j ? deviation ** 2 : 0)),
);

function features({ tokens, toolCalls, imageTokens = 0 }: Counted): number[] {
  return [1, (tokens - imageTokens) / unit, toolCalls, imageTokens / unit];
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] as number), 0);
}
