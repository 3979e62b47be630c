import type { Kind } from './kinds.js';
import type { Saving } from './savings.js';

/** A row of the table: what fills the window. */
export interface ContextRow {
  /** `hidden` is what the file does not hold, `form` the roles and marks around messages, `free` and `reserve` what is empty. */
  readonly kind: Kind | 'hidden' | 'form' | 'free' | 'reserve';
  readonly name: string;
  readonly tokens: number;
  /** Messages that have something of it. */
  readonly messages?: number;
}

export interface LargeMessage {
  /** Position in the session from 1; undefined for what the agent put in place of older messages. */
  readonly number: number | undefined;
  readonly label: string;
  readonly tokens: number;
}

/** What fills the window at one place of a session. Tokens are the provider's if it reported some, otherwise those counted here. */
export interface ContextReport {
  readonly id: string;
  readonly path: string;
  readonly format: string;
  readonly provider: string | undefined;
  readonly model: string | undefined;
  /** Messages said until then, and in all. */
  readonly at: number;
  readonly said: number;
  /** Messages in the window. */
  readonly messages: number;
  /** How often the agent had compacted the conversation until then. */
  readonly compactions: number;
  /** Tokens at which the agent last compacted by itself, here or later, if the file says so. */
  readonly compactedAt: number | undefined;
  readonly used: number;
  readonly window: number;
  /** True if the model is not in the table of models, so that its window is a guess. */
  readonly isWindowAssumed: boolean;
  /** Tokens of the window that are kept for the answer. */
  readonly reserve: number;
  /** What is left for messages; negative if the request is too large. */
  readonly free: number;
  readonly measuredBy: 'provider' | 'ctx';
  /** Tokens that the provider reported for its newest request. */
  readonly reported: number | undefined;
  readonly rows: readonly ContextRow[];
  readonly largest: readonly LargeMessage[];
  /** What a compression frees and what it loses, with the default pipeline. Tokens are those counted by ctx, as `ctx compress` has them. */
  readonly savings: readonly Saving[];
  /** Records of the file that could not be read. */
  readonly skipped: number;
}
