import type { TermName } from './terms.js';

/** A mean, with its standard error if there are several sessions to estimate it from. */
export interface ReportFigure {
  readonly value: number;
  readonly error?: number;
}

/** A figure of a table; null if there is none. */
export type ReportCell = string | number | ReportFigure | null;

export interface ReportColumn {
  readonly title: string;
  /** What the title means; shown on request. */
  readonly term?: TermName;
  /** Which figures are marked as the best; without it, none is. */
  readonly better?: 'more' | 'less';
}

/** Figures of the candidates. */
export interface ReportTable {
  /** Tables of one title are shown in one place, of which the reader chooses one by its `variant`. */
  readonly title: string;
  /** @example '25 %' */
  readonly variant?: string;
  /** What the choice of a variant is called. @example 'Compressed to' */
  readonly choice?: string;
  /** How many cuts, sessions or requests the figures are from. */
  readonly note?: string;
  readonly columns: readonly ReportColumn[];
  /** A row is never marked as the best if it is no way to compress, but a control or a bound. */
  readonly rows: readonly { readonly cells: readonly ReportCell[]; readonly isRanked: boolean }[];
  /** The column that the rows are sorted by at first, the best first. */
  readonly sortedBy?: number;
}

/** What a report shows besides the steps of a session; plain JSON. */
export interface ReportData {
  /** ISO 8601. */
  readonly createdAt: string;
  /** How many sessions and candidates the figures are of. */
  readonly sessions: number;
  readonly candidates: number;
  /** What was found, in sentences. */
  readonly headline: readonly string[];
  readonly tables: readonly ReportTable[];
}
