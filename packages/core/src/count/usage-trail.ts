import { type Coefficients, type Counted, expectedFor } from './coefficients.js';

export interface UsageReport {
  readonly counted: Counted;
  readonly reported: number;
}

/** How many of the newest reports are compared. */
const remembered = 5;
/** This many reports must agree before old knowledge is given up. */
const needed = 3;
/** How far apart two reports may be and still agree, in standard deviations. */
const deviations = 5;

/**
 * The newest reports, and whether they agree. For each report, compare how far it exceeds the expected figure: two
 * reports agree if these differences are explained by noise and by the uncertainty of the expectation. Their median
 * shows which reports are off, because two bad reports of five can't move it.
 */
export class UsageTrail {
  reports: readonly UsageReport[];

  constructor(
    /** The expected figures, and how far each of them may be off. */
    readonly expected: Coefficients,
    readonly deviation: Coefficients,
    readonly noiseOf: (reported: number) => number,
    reports: readonly UsageReport[] = [],
  ) {
    this.reports = reports.slice(-remembered);
  }

  add(report: UsageReport): void {
    this.reports = [...this.reports, report].slice(-remembered);
  }

  clear(): void {
    this.reports = [];
  }

  /** True if the newest report agrees with the median, or if there are too few reports to tell. */
  get isSteady(): boolean {
    const newest = this.reports[this.reports.length - 1];
    const { median } = this;
    return newest === undefined || median === undefined || this.#agree(newest, median);
  }

  /** True if fewer than half of the reports agree with the median. Such reports teach nothing. */
  get isErratic(): boolean {
    const { median } = this;
    if (median === undefined) return false;
    return 2 * this.reports.filter((report) => this.#agree(report, median)).length < this.reports.length;
  }

  /** The newest three reports (five if they are hard to believe), if they all agree with one another. */
  newestInAgreement({ isLikely }: { readonly isLikely: boolean }): readonly UsageReport[] | undefined {
    const count = isLikely ? needed : remembered;
    const newest = this.reports.slice(-count);
    const agree = newest.every((one) => newest.every((other) => this.#agree(one, other)));
    return newest.length === count && agree ? newest : undefined;
  }

  /** The report in the middle; undefined if there are fewer than three. */
  private get median(): UsageReport | undefined {
    if (this.reports.length < needed) return undefined;
    const sorted = this.reports.toSorted((a, b) => this.#beyond(a) - this.#beyond(b));
    return sorted[sorted.length >> 1];
  }

  #beyond({ counted, reported }: UsageReport): number {
    return reported - expectedFor({ ...this.expected, offset: 0 }, counted);
  }

  #agree(one: UsageReport, other: UsageReport): boolean {
    const { factor, perToolCall, perImageToken = 0 } = this.deviation;
    const off = Math.hypot(
      this.noiseOf(one.reported),
      this.noiseOf(other.reported),
      factor * (textIn(one.counted) - textIn(other.counted)),
      perImageToken * ((one.counted.imageTokens ?? 0) - (other.counted.imageTokens ?? 0)),
      perToolCall * (one.counted.toolCalls - other.counted.toolCalls),
    );
    return Math.abs(this.#beyond(one) - this.#beyond(other)) <= deviations * off;
  }
}

const textIn = ({ tokens, imageTokens = 0 }: Counted) => tokens - imageTokens;
