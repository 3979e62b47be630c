import type { Coefficients, Counted } from './calibrate.js';

/** A report, and what was counted for its request. */
export interface UsageReport {
  readonly counted: Counted;
  readonly reported: number;
}

/** How many of the last reports are compared. */
const remembered = 5;
/** So many have to agree that the world has changed. */
const needed = 3;
/** How far two reports may be apart to agree, in standard deviations. */
const deviations = 5;

/**
 * The last reports, and whether they agree: two do where what each has beyond the expected differs by no more than the noise of both and
 * what the expectation may be off for what came between them. Which of them are off is told by their median, which two of five can't move.
 */
export class UsageTrail {
  #reports: readonly UsageReport[];

  constructor(
    /** What a request is expected to come to, and how far each figure of that may be off. */
    readonly expected: Coefficients,
    readonly deviation: Coefficients,
    readonly noiseOf: (reported: number) => number,
    reports: readonly UsageReport[] = [],
  ) {
    this.#reports = reports.slice(-remembered);
  }

  get reports(): readonly UsageReport[] {
    return this.#reports;
  }

  add(report: UsageReport): void {
    this.#reports = [...this.#reports, report].slice(-remembered);
  }

  clear(): void {
    this.#reports = [];
  }

  /** Whether the newest report agrees with the median; true where there are too few to tell. */
  get isSteady(): boolean {
    const newest = this.#reports[this.#reports.length - 1];
    const { median } = this;
    return newest === undefined || median === undefined || this.#agree(newest, median);
  }

  /** Whether fewer than half of the reports agree with the median: they teach nothing. */
  get isErratic(): boolean {
    const { median } = this;
    if (median === undefined) return false;
    return 2 * this.#reports.filter((report) => this.#agree(report, median)).length < this.#reports.length;
  }

  /** The newest three reports, or five where they are hard to believe, if each agrees with each. */
  newestInAgreement({ isLikely }: { readonly isLikely: boolean }): readonly UsageReport[] | undefined {
    const count = isLikely ? needed : remembered;
    const newest = this.#reports.slice(-count);
    const agree = newest.every((one) => newest.every((other) => this.#agree(one, other)));
    return newest.length === count && agree ? newest : undefined;
  }

  /** The report in the middle; undefined under three. */
  private get median(): UsageReport | undefined {
    if (this.#reports.length < needed) return undefined;
    const sorted = this.#reports.toSorted((a, b) => this.#beyond(a) - this.#beyond(b));
    return sorted[sorted.length >> 1];
  }

  #beyond({ counted, reported }: UsageReport): number {
    const { factor, perToolCall } = this.expected;
    return reported - factor * counted.tokens - perToolCall * counted.toolCalls;
  }

  #agree(one: UsageReport, other: UsageReport): boolean {
    const { factor, perToolCall } = this.deviation;
    const off = Math.hypot(
      this.noiseOf(one.reported),
      this.noiseOf(other.reported),
      factor * (one.counted.tokens - other.counted.tokens),
      perToolCall * (one.counted.toolCalls - other.counted.toolCalls),
    );
    return Math.abs(this.#beyond(one) - this.#beyond(other)) <= deviations * off;
  }
}
