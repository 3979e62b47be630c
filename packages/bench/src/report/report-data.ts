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
  /** Share of the used atoms that the view does not hold, 0–1. */
  readonly missRate: number;
  /** Cost of the input, relative to no compression. */
  readonly cost: number;
}

/** Everything that a report shows; plain JSON. */
export interface ReportData {
  /** ISO 8601. */
  readonly createdAt: string;
  /** A table for each budget: a row for each candidate. Figures are 0–100. */
  readonly tables: readonly {
    readonly title: string;
    readonly columns: readonly string[];
    readonly rows: readonly (readonly (string | number)[])[];
  }[];
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
