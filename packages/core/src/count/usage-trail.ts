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
 * reports agree if these differences are explained by noise and by the uncertainty of the expectation.
 */
export class UsageTrail {
  reports: readonly UsageReport[];

  constructor(
    /** The expected figures, and how far each of them may be off. */
    readonly expected: () => Coefficients,
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

  /** True if at least half of the reports agree with the newest one, or if there are too few reports to tell. */
  get isSteady(): boolean {
    const newest = this.reports.at(-1);
    return newest === undefined || this.reports.length < needed || this.#isBacked(newest);
  }

  /** True if no report has the agreement of half of them. Such reports teach nothing. */
  get isErratic(): boolean {
    return this.reports.length >= needed && !this.reports.some((report) => this.#isBacked(report));
  }

  #isBacked(report: UsageReport): boolean {
    return 2 * this.reports.filter((other) => this.#agree(report, other)).length >= this.reports.length;
  }

  /** The newest three reports (five if they are hard to believe), if they all agree with one another. */
  newestInAgreement({ isLikely }: { readonly isLikely: boolean }): readonly UsageReport[] | undefined {
    const count = isLikely ? needed : remembered;
    const newest = this.reports.slice(-count);
    const agree = newest.every((one) => newest.every((other) => this.#agree(one, other)));
    return newest.length === count && agree ? newest : undefined;
  }

  #beyond({ counted, reported }: UsageReport): number {
    return reported - expectedFor({ ...this.expected(), offset: 0 }, counted);
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
