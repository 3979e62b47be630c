import type { TermName } from './terms.js';

/** What happened to a message in a compression. */
export type Outcome = 'kept' | 'cleared' | 'truncated' | 'folded' | 'summarised' | 'excerpted' | 'dropped';

/** A bar of the timeline. */
export interface ReportMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  /** What the message is, in a few words: `user`, `bash npm test`, `result of read src/app.ts`. */
  readonly label: string;
  readonly tokens: number;
  /** Its text, cut to a few thousand characters. */
  readonly text: string;
}

/** The fate of one message. */
export interface ReportFate {
  readonly outcome: Outcome;
  /** Tokens that are left of it; 0 if it is dropped or only a summary mentions it. */
  readonly tokens: number;
  /** The remaining text, if it differs from the original. */
  readonly after?: string;
  /** The reason, if a strategy gives one. */
  readonly reason?: string;
}

/** One session cut at one place and compressed to one share. */
export interface ReportTimeline {
  readonly session: string;
  readonly source: string;
  /** 0–1, of the prefix's tokens. */
  readonly share: number;
  readonly messages: readonly ReportMessage[];
  readonly candidates: readonly {
    readonly candidate: string;
    readonly tokens: number;
    /** 0–100. */
    readonly usableCtx: number;
    /** Not for a control or a bound, which are never marked as the best. */
    readonly isRanked: boolean;
    /** One for each of `messages`. */
    readonly fates: readonly ReportFate[];
    /** Messages that were not there before: summaries, excerpts. */
    readonly added: readonly ReportMessage[];
  }[];
}

/** A whole session under one limit, with one candidate. */
export interface ReportReplay {
  readonly session: string;
  readonly source: string;
  /** Tokens. */
  readonly limit: number;
  readonly candidate: string;
  /** Tokens of the view at each request. */
  readonly tokens: readonly number[];
  /** Requests that do not extend the one before. */
  readonly rewrites: number;
  /** Share of the used atoms that the view does not hold, 0–1. */
  readonly missRate: number;
  /** Cost of the input, relative to no compression. */
  readonly cost: number;
}

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

/** Everything that a report shows; plain JSON. */
export interface ReportData {
  /** ISO 8601. */
  readonly createdAt: string;
  /** What was found, in sentences. */
  readonly headline: readonly string[];
  readonly tables: readonly ReportTable[];
  readonly timelines: readonly ReportTimeline[];
  readonly replays: readonly ReportReplay[];
  /** Means over all sessions, for the curve of cost against misses. */
  readonly points: readonly {
    readonly candidate: string;
    readonly limit: number;
    readonly cost: number;
    readonly missRate: number;
  }[];
}
