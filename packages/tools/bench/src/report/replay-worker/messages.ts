import type { SessionParts } from '../session-data.js';

/** What the page asks the worker. */
export interface ReplayAsked {
  readonly name: string;
  readonly text: string;
  /** Tokens. @default half of the session, at most 64,000 */
  readonly limit?: number;
  /** Which of several conversations. @default the longest */
  readonly conversation?: number;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** What the worker answers. */
export type ReplayTold =
  | { readonly kind: 'progress'; readonly what: string; readonly done: number }
  | {
      readonly kind: 'done';
      readonly parts: SessionParts;
      /** The conversations of the file. */
      readonly conversations: readonly string[];
      readonly conversation: number;
      /** Records that could not be read. */
      readonly skipped: number;
    }
  | { readonly kind: 'failed'; readonly reason: string };
