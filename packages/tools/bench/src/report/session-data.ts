/** A message as a page shows it. */
export interface ReportMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  /** What the message is, in a few words: `user`, `bash npm test`, `result of read src/app.ts`. */
  readonly label: string;
  readonly tokens: number;
  /** Its text, cut to a few thousand characters. */
  readonly text: string;
}

/** A session and its replays, for the page that steps through it. Figures only; the texts are in packs. */
export interface SessionReport {
  /** ISO 8601. */
  readonly createdAt: string;
  readonly session: string;
  /** Tokens of the largest request that was allowed. */
  readonly limit: number;
  /** Of the whole session. */
  readonly tokens: number;
  readonly messages: number;
  /** For each request, the position of the message that answered it. */
  readonly requests: readonly number[];
  /** The candidates, those that miss least first. */
  readonly candidates: readonly SessionCandidate[];
}

/** What a replay of the session with one candidate came to. */
export interface SessionCandidate {
  readonly candidate: string;
  /** Used atoms that were not in the view, 0–1. */
  readonly missRate: number;
  /** The same for atoms with the lines around them. */
  readonly passageMissRate: number;
  /** Of all input, relative to sending everything. */
  readonly cost: number;
  readonly rewrites: number;
  readonly overflows: number;
  readonly invalid: number;
  /** Tokens of each request. */
  readonly tokens: readonly number[];
}

/** The texts of a session and what each request needed. */
export interface SessionTexts {
  readonly messages: readonly ReportMessage[];
  /** For each request what its answer used, with the newest message that held it. */
  readonly uses: readonly (readonly (readonly [atom: string, heldAt: number])[])[];
  /** For each request the price of all requests so far if everything was sent, in tokens at full price. */
  readonly costs: readonly number[];
}

/** A message that a candidate made. */
export interface MadeMessage extends ReportMessage {
  /** The message of the session that it is what is left of; missing for one that was not there before. */
  readonly of?: number;
}

/** The views of one candidate. */
export interface CandidateSteps {
  readonly made: readonly MadeMessage[];
  /**
   * For each request how many messages are those of the request before, from the start, and then the others: a position in the
   * session's messages, or -1 - a position in `made`.
   */
  readonly views: readonly (readonly number[])[];
  /** For each request the positions in `uses` of what the view did not hold. */
  readonly missed: readonly (readonly number[])[];
  /** For each request the price of all requests so far, in tokens at full price. */
  readonly costs: readonly number[];
}

/** A session with the parts that a page unpacks when they are looked at. */
export interface SessionParts {
  readonly report: SessionReport;
  readonly texts: SessionTexts;
  /** By the candidate's position in `report.candidates`. */
  readonly steps: readonly CandidateSteps[];
}
