import type { Message } from '@ctx/core';

/** The formats that can be read. `openai` and `anthropic` are conversations in the form of their APIs. */
export const sessionFormats = ['claude-code', 'pi', 'openai', 'anthropic'] as const;
export type SessionFormat = (typeof sessionFormats)[number];

export interface ReadOptions {
  /** Leaves out broken records and lists them in `skipped`, instead of throwing. @default false */
  readonly lenient?: boolean;
  /** The format, if it is known; otherwise it is detected from the first records. */
  readonly format?: SessionFormat;
  /**
   * Where to begin in a session that the agent has compacted. `start` returns everything that was said, without the agent's summaries.
   * `last-compaction` returns what the model still sees: the newest summary, marked `summary: true`, and everything after it. @default
   * 'start'
   */
  readonly from?: 'start' | 'last-compaction';
}

/** A remark of the reader about a line. In a file that is one JSON document the line is 1. */
export interface Note {
  readonly line: number;
  readonly reason: string;
}

/** What a provider reported for the response that became an assistant message. */
export interface UsageReport {
  /** Position of the assistant message in `messages`. */
  readonly index: number;
  /** Tokens of the whole input, including those read from and written to the prompt cache. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly provider: string;
  readonly model: string;
  /** True if the user or an error interrupted the response; its figures are those reported until then. */
  readonly aborted: boolean;
}

/** One conversation of a session file. */
export interface Session {
  readonly id: string;
  readonly format: SessionFormat;
  /** In order; a `Transcript` accepts each of them after the one before. */
  readonly messages: readonly Message[];
  /** Missing if the format has none. */
  readonly usage?: readonly UsageReport[];
  /** The model and provider that answered last, if the file names them. */
  readonly model?: string;
  readonly provider?: string;
  /** Where the conversation is from, such as a collection's name, if the record has a `source`. */
  readonly source?: string;
  /** Records of the conversation that are not in `messages`, and why. */
  readonly skipped: readonly Note[];
  /** What was changed in `messages` compared with the file. */
  readonly warnings: readonly Note[];
  /** Number of records of each kind that do not belong to the conversation: progress, snapshots, side chains. */
  readonly leftOut: Readonly<Record<string, number>>;
}
